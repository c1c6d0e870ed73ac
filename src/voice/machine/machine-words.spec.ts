import { describe, expect, it } from '@jest/globals';
import { signsOf } from './machine-words.js';

describe('words of the far end', () => {
  it.each([
    ['recorder', 'Deixe o seu recado após o sinal.'],
    ['recorder', 'No momento não posso atender. Fale depois do bipe.'],
    [
      'recorder',
      'At the tone, please record your message. When you have finished, press one for more options.',
    ],
    [
      'recorder',
      'I am away from my desk. For the operator, press zero. Otherwise, leave a message after the beep.',
    ],
    ['recorder', 'Deje su mensaje después de la señal.'],
    ['recorder', 'Laissez un message après le bip sonore.'],
    ['recorder', 'Bitte hinterlassen Sie eine Nachricht nach dem Signalton.'],
    ['recorder', 'Lasciate un messaggio dopo il segnale acustico.'],
    ['announcement', 'The number you have dialled is not available.'],
    ['announcement', 'Este número de telefone não existe. Por favor, verifique o número discado.'],
    ['announcement', 'A pessoa com quem você quer falar não está disponível no momento.'],
    ['announcement', 'Este número está temporariamente impedido de receber chamadas.'],
    ['announcement', 'El número que usted marcó no existe.'],
    ['announcement', 'Kein Anschluss unter dieser Nummer.'],
    ['announcement', "Le numéro que vous avez demandé n'est pas attribué."],
    ['announcement', 'Il cliente da lei chiamato non è raggiungibile.'],
    ['announcement', 'Su llamada será transferida a un sistema de mensajes.'],
    ['announcement', 'Su llamada no puede ser completada.'],
    ['announcement', 'Votre appel est transféré vers une messagerie vocale.'],
    ['announcement', "Votre appel n'a pu aboutir."],
    ['announcement', 'Ihr Anruf wird an eine Mailbox weitergeleitet.'],
    ['announcement', 'Ihr Anruf kann zurzeit nicht entgegengenommen werden.'],
    ['announcement', 'La sua chiamata è stata trasferita alla segreteria telefonica.'],
    ['announcement', 'La chiamata non può essere completata.'],
    ['announcement', 'O celular chamado está desligado. Assim que ele for ligado, avisaremos por mensagem.'],
    [
      'announcement',
      'Le numéro que vous avez composé est incorrect, il est impossible de le joindre, veuillez vérifier le numéro.',
    ],
  ])('are those of a %s: "%s"', (expected, text) => {
    expect(signsOf(text).recording).toBe(expected);
  });

  it.each([
    'Agora não posso atender, me retorna mais tarde, por favor.',
    'Ela não está, deixa um recado comigo que eu passo.',
    'Meu celular estava desligado.',
    'Meu telefone está desligado ou fora de área direto.',
    'Leave your name and number and the reason for your call.',
    'Just leave your name and number with me.',
    'That person is not available, I am the receptionist.',
    "Sorry, I can't take your call right now, can you call back later?",
    'Secretaria de Saúde, bom dia.',
    'Você ligou para a Secretaria de Educação do Estado.',
    'Ahora no puedo atender, llámame más tarde.',
    'Je ne peux pas répondre maintenant.',
    'Ich rufe Sie später zurück.',
    'Non posso rispondere adesso.',
    'I left a message after the tone, and it was cut off.',
    'Vire à direita depois do sinal.',
    'The phone you called is the one in my office.',
    'Do you want to record a message for him?',
    'O número mudou, liga para o outro.',
    'La persona che cerca non lavora qui.',
    "La personne que vous cherchez n'est pas là.",
    'Mi teléfono, el que está en casa, no existe ya.',
    'A pessoa com quem você quer falar não trabalha mais aqui.',
    'O número chamado é esse mesmo, mas ele não está disponível.',
    'Tô ocupado, tente mais tarde ou mande mensagem.',
    'A caixa postal dela está cheia, tem que ligar no fixo.',
    "The number you dialed is wrong, there's no John here.",
    'The person you are calling is not here anymore, this is my number now.',
    'My number has been changed, how did you get this?',
    'Her voicemail is full, so call me instead.',
    "The mobile you called is my work phone, it's off usually.",
    'Please check the number and call again, there is no Peter here.',
    'El teléfono al que llama ya no es de Pedro.',
    'El número que usted llama no es de él, está equivocado.',
    'La persona con la que quiere hablar no trabaja aquí.',
    'Mi hijo tiene el móvil apagado o fuera de cobertura, llame por la noche.',
    'Verifique el número, aquí no hay ningún Juan.',
    "Le numéro que vous avez composé n'est pas le bon, il n'y a pas de Paul ici.",
    'Der gewünschte Gesprächspartner ist nicht im Haus, ich bin die Assistentin.',
    // Of a switchboard, which forwards the call to a person.
    'Su llamada ha sido transferida a la recepción.',
    'Votre appel est transféré, un instant je vous prie.',
    'Ihr Anruf wird weitergeleitet, einen Moment.',
    'La sua chiamata è stata trasferita alla reception.',
  ])('may be those of a person: "%s"', (text) => {
    expect(signsOf(text)).toMatchObject({ recording: null, gatekeeper: null });
  });

  it.each([
    'Quem está ligando, por favor?',
    'Pode me dizer seu nome e o motivo da ligação?',
    'Qual o seu nome? Vou ver se ela está disponível.',
    'Grave seu nome, seu telefone e o motivo da ligação.',
    'Eu já digitei o meu CPF no site de vocês.',
    'Disque um número qualquer, aperte um pouco mais.',
    'May I have your name, and what it is about?',
    'Please state your name, number and the reason for your call.',
    'I pressed one on your form, and nothing happened.',
    'Press one more time.',
    'If this is an emergency, hang up and dial nine one one.',
    'I will put your name down, and see if he is available tomorrow.',
  ])('offer no menu and screen no call: "%s"', (text) => {
    expect(signsOf(text).gatekeeper).toBeNull();
  });

  it.each([
    'Em que posso ajudar?',
    'Com quem eu falo, por gentileza?',
    'Deixa comigo que eu passo o recado.',
    'How may I direct your call?',
    '¿En qué puedo ayudarle?',
    'Was kann ich für Sie tun?',
    'In che cosa posso esserle utile?',
    'Ne quittez pas.',
  ])('are those of a person who is ready to talk: "%s"', (text) => {
    expect(signsOf(text).isPerson).toBe(true);
  });

  it('are read by the end of a long text', () => {
    const before = 'Bem-vindo ao nosso atendimento. '.repeat(60);
    expect(signsOf(`${before} Grave sua mensagem.`).recording).toBe('recorder');
  });
});
