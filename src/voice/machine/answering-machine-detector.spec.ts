import { describe, expect, it } from '@jest/globals';
import { spoken } from '../../../test/support/voice/espeak.js';
import type { FarEnd } from '../../runtime/call/answerer/far-end.js';
import { AnsweringMachineDetector } from './answering-machine-detector.js';
import { kindOfWords } from './machine-words.js';

const RATE_HZ = 8_000;
const FRAME = 160;

const MACHINES: Readonly<Record<string, readonly string[]>> = {
  'pt-br': [
    'Olá, não posso atender agora. Deixe seu recado após o sinal.',
    'Você ligou para a Padaria Central. No momento não podemos atender. Deixe sua mensagem após o bipe.',
    'Sua chamada está sendo encaminhada para a caixa postal e estará sujeita à cobrança após o sinal.',
    'Oi, aqui é a Ana. Deixa um recado que eu retorno assim que puder. Obrigada.',
    'Este telefone está desligado ou fora da área de cobertura. Tente novamente mais tarde.',
    'Grave sua mensagem após o sinal. Para terminar, desligue ou pressione uma tecla.',
  ],
  en: [
    'Hello, I cannot take your call now. Please leave a message after the tone.',
    "Hi, you've reached the office of John Smith. We are not available at the moment, so please leave your name.",
    'Your call has been forwarded to an automatic voice message system. At the tone, please record your message.',
    'Hey, this is Mary. Leave me a message and I will get back to you as soon as I can. Thanks.',
    'The person you are calling is not available. Please try again later or send a text message instead.',
    'Welcome to the voicemail of five five five, one two three four. Please speak after the beep.',
  ],
};

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  'pt-br': [
    'Alô?',
    'Oi, quem fala?',
    'Padaria Central, bom dia.',
    'Pronto.',
    'Alô, aqui é a Ana, pode falar.',
    'Padaria Central, boa tarde, meu nome é Clara, em que posso ajudar?',
  ],
  en: [
    'Hello?',
    'Yes, who is this?',
    'Central Bakery, good morning.',
    'Speaking.',
    'Hello, this is Mary, go ahead.',
    'Central Bakery, good afternoon, my name is Claire, how can I help you?',
  ],
};

/** Voice menus of companies. */
const MENUS: readonly Sample[] = samplesOf({
  'pt-br': [
    'Bem-vindo à Clínica Central. Para vendas, digite um. Para suporte, digite dois.',
    'Olá, você ligou para o Banco Azul. Se você já é cliente, digite o seu CPF.',
    'Para falar com o financeiro, tecle três. Para voltar ao menu principal, tecle nove.',
    'Ouça atentamente as opções. Para segunda via da conta, pressione a tecla quatro.',
    'Se você souber o ramal, disque agora. Ou aguarde para falar com um atendente, digitando zero. Para marcar consulta, aperte um.',
    'Para deixar um recado, digite um. Para falar com a recepção, digite dois.',
  ],
  en: [
    'Thank you for calling Central Clinic. For sales, press one. For support, press two.',
    "Welcome to Blue Bank. If you know your party's extension, dial it now. To speak to an agent, press zero.",
    'Please listen carefully, as our menu options have changed. For billing, press three.',
    'For English, press one. Please enter your account number, followed by the pound key.',
    'To leave a message, press one. To speak with the front desk, press two.',
    'To return to the main menu, press star. To hear these choices again, press nine.',
  ],
});

/** Assistants of telephones that ask who calls, as they are quoted by their makers and users, and like them in Portuguese. */
const SCREENINGS: readonly Sample[] = samplesOf({
  'pt-br': [
    'Olá. Se você gravar seu nome e o motivo da ligação, vou ver se essa pessoa está disponível.',
    'Oi, a pessoa para quem você ligou está usando um serviço de triagem de chamadas do Google. Diga seu nome e por que está ligando.',
    'Esta ligação está sendo atendida pelo filtro de chamadas. Diga seu nome e o motivo da ligação.',
    'Por favor, diga seu nome após o sinal, e tentaremos completar a ligação.',
    'Antes de conectar você, posso saber o motivo da ligação?',
    'Grave seu nome e o motivo do contato para continuar a chamada.',
  ],
  en: [
    "Hi. If you record your name and reason for calling, I'll see if this person is available.",
    "Hi, the person you're calling is using a screening service from Google, and will get a copy of this conversation. Go ahead and say your name, and why you're calling.",
    "Hi, I'm Call Assist by Google, recording this call for the person you're trying to reach. Before I try to connect you, can I ask what you're calling about?",
    'Please state your name after the tone, and Google Voice will try to connect you.',
    'The person you are calling is using call screening. Please say who is calling.',
    'Please say your name and the reason for your call.',
  ],
});

/** People who ask, and who speak of keys and messages. */
const WORDS_OF_PEOPLE: readonly string[] = [
  'Quem está ligando, por favor?',
  'Pode me dizer seu nome e o motivo da ligação?',
  'Qual o seu nome? Vou ver se ela está disponível.',
  'Ele não está. Quer deixar um recado?',
  'Quero deixar um recado para a gerente.',
  'Não posso falar agora, me liga depois.',
  'Tenho interesse, pode me explicar melhor?',
  'Eu já digitei o meu CPF no site de vocês.',
  'Vire à direita depois do sinal.',
  'Disque um número qualquer, aperte um pouco mais.',
  'Vou transferir a ligação, aguarde um momento.',
  'Sim, quem fala?',
  "Who's calling, please?",
  'May I have your name, and what it is about?',
  "Can you tell me your name? I'll see if she is available.",
  'He is not in. Would you like to leave a message?',
  "I'll get back to you tomorrow.",
  'I pressed one on your form, and nothing happened.',
  'Press one more time.',
  'If this is an emergency, hang up and dial nine one one.',
  'I will put your name down, and see if he is available tomorrow.',
  'I would like to book an appointment for tomorrow at three o clock.',
  'Let me put you through, one moment.',
  'Can you repeat that, please?',
];

interface Sample {
  readonly voice: string;
  readonly text: string;
}

function samplesOf(greetings: Readonly<Record<string, readonly string[]>>): Sample[] {
  return Object.entries(greetings).flatMap(([voice, lines]) => lines.map((text) => ({ voice, text })));
}

function silence(ms: number): Int16Array {
  return Int16Array.from({ length: (RATE_HZ * ms) / 1_000 }, (_, index) => ((index * 7_919) % 61) - 30);
}

function beep(): Int16Array {
  return Int16Array.from({ length: RATE_HZ * 0.4 }, (_, index) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 1_000 * index) / RATE_HZ)),
  );
}

function framesOf(samples: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(samples.length / FRAME) }, (_, index) =>
    samples.subarray(index * FRAME, (index + 1) * FRAME),
  );
}

/** What the detector makes of a call that sounds so, all decisions in order; words come when they are over. */
function judge(parts: readonly Int16Array[], words?: { readonly text: string; readonly afterPart: number }) {
  const detector = new AnsweringMachineDetector(RATE_HZ);
  const decisions: string[] = [];
  const note = (decision: string | null) => {
    if (decision) decisions.push(decision);
  };
  parts.forEach((samples, part) => {
    for (const frame of framesOf(samples)) note(detector.hear(frame));
    if (words?.afterPart === part) note(detector.words(words.text));
  });
  return decisions;
}

/** What is decided on words as a recogniser tells them, with each more of the text. */
function growing(text: string): FarEnd[] {
  const detector = new AnsweringMachineDetector(RATE_HZ);
  const words = text.split(' ');
  return words.flatMap((_word, index) => detector.words(words.slice(0, index + 1).join(' ')) ?? []);
}

/** As loud as words, without a pause and without a pitch. */
function speech(ms: number): Int16Array {
  return Int16Array.from({ length: (RATE_HZ * ms) / 1_000 }, (_, index) => ((index * 7_919) % 6_001) - 3_000);
}

/** With a beep where there are words for it to follow. */
function callOf(words: Int16Array, ...afterwards: Int16Array[]): Int16Array[] {
  return [silence(600), words, silence(700), ...afterwards, silence(3_000)];
}

describe('AnsweringMachineDetector', () => {
  it('takes no person for anything else, and nothing with known words or a beep for a person', async () => {
    const table: Record<string, Record<string, number>> = {};
    const wrong: string[] = [];
    const note = (kind: FarEnd, means: string, outcome: string, isWrong: boolean, text: string) => {
      const row = (table[`${kind} ${means}`] ??= {});
      row[outcome] = (row[outcome] ?? 0) + 1;
      if (isWrong) wrong.push(`${kind} ${means}: ${outcome}: ${text}`);
    };
    for (const [samples, expected] of [
      [samplesOf(MACHINES), 'machine'],
      [samplesOf(PEOPLE), 'human'],
      [MENUS, 'menu'],
      [SCREENINGS, 'screening'],
    ] as const) {
      for (const { voice, text } of samples) {
        const words = await spoken(text, RATE_HZ, voice);
        const bySound = judge(callOf(words)).at(-1) ?? 'unknown';
        // By sound alone a menu is a machine at most; call screening may be as short as a person.
        const maySound = {
          human: ['human'],
          machine: ['machine'],
          menu: ['machine'],
          screening: ['machine', 'human'],
        };
        const isWrong = bySound !== 'unknown' && !maySound[expected].includes(bySound);
        note(expected, 'by sound', bySound, isWrong, text);
        const byWords = judge(callOf(words), { text, afterPart: 1 }).at(-1) ?? 'unknown';
        const isHuman = expected === 'human' && byWords === 'unknown';
        note(expected, 'by words', byWords, byWords !== expected && !isHuman, text);
        if (expected !== 'machine') continue;
        const byBeep = judge(callOf(words, beep())).at(-1) ?? 'unknown';
        note(expected, 'by beep', byBeep, byBeep !== expected, text);
      }
    }
    process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
    expect(wrong).toEqual([]);
    expect(table['human by sound']?.['human']).toBeGreaterThanOrEqual(10);
  });

  it('goes by words that grow, and takes menus and screening for nothing else on the way', () => {
    const wrong: string[] = [];
    for (const [samples, expected] of [
      [MENUS, ['menu']],
      [SCREENINGS, ['screening']],
      [samplesOf(PEOPLE), []],
      [WORDS_OF_PEOPLE.map((text) => ({ text })), []],
    ] as const) {
      for (const { text } of samples) {
        const decisions = growing(text);
        if (decisions.join() !== expected.join()) wrong.push(`${decisions.join()}: ${text}`);
      }
    }
    for (const { text } of samplesOf(MACHINES))
      if (growing(text).at(-1) !== 'machine') wrong.push(`no machine: ${text}`);
    expect(wrong).toEqual([]);
  });

  it('takes a recording for a menu once that offers keys, and not once it records', () => {
    const menu = 'Para vendas, digite um.';
    const long = [silence(300), speech(7_000)];
    expect(judge(long, { text: menu, afterPart: 1 })).toEqual(['machine', 'menu']);
    const beeped = [silence(300), speech(2_000), beep(), silence(1_000)];
    expect(judge(beeped, { text: 'To send a fax, press five.', afterPart: 3 })).toEqual(['machine']);
    const detector = new AnsweringMachineDetector(RATE_HZ);
    expect(detector.words('At the tone, please record your message.')).toBe('machine');
    expect(detector.words('When you are finished, hang up, or press one for more options.')).toBeNull();
  });

  it('tells a mailbox behind a menu and behind call screening by its words, and by no beep', () => {
    for (const first of ['Press one to be connected.', 'Diga seu nome e o motivo da ligação.']) {
      const detector = new AnsweringMachineDetector(RATE_HZ);
      expect(detector.words(first)).not.toBeNull();
      const later = [...framesOf(speech(9_000)), ...framesOf(beep()), ...framesOf(silence(30_000))];
      expect(later.map((frame) => detector.hear(frame)).filter(Boolean)).toEqual([]);
      expect(detector.words('Deixe sua mensagem após o sinal.')).toBe('machine');
      expect(detector.isWatching).toBe(false);
    }
  });

  it('takes a person for a machine once that beeps', async () => {
    const hello = await spoken('Alô. Aqui é a Ana.', RATE_HZ);
    const decisions = judge([silence(300), hello, silence(1_500), hello, beep(), silence(500)]);
    expect(decisions).toEqual(['human', 'machine']);
  });

  it('decides nothing on silence, clicks, and tones of the network', () => {
    const click = Int16Array.from({ length: FRAME }, (_, index) => (index % 2 ? 9_000 : -9_000));
    expect(judge([silence(2_000), click, silence(2_000), click, beep(), silence(4_000)])).toEqual([]);
  });

  it('hears a person on a line that hums', async () => {
    const hum = (samples: Int16Array) =>
      samples.map(
        (sample, index) => sample + Math.round(250 * Math.sin((2 * Math.PI * 120 * index) / RATE_HZ)),
      );
    const hello = await spoken('Alô?', RATE_HZ);
    expect(judge([silence(1_000), hello, silence(2_000)].map(hum))).toEqual(['human']);
  });

  it.each([
    ['Deixe o seu recado após o sinal.', 'recorder'],
    [
      'At the tone, please record your message. When you have finished, press one for more options.',
      'recorder',
    ],
    ['Leave your name and number and the reason for your call.', 'recorder'],
    ['I am away from my desk. For the operator, press zero. Otherwise, leave a message.', 'recorder'],
    ['Estou fora. Em caso de urgência, digite zero. Se não, deixe seu recado.', 'recorder'],
    ['The number you have dialled is not available.', 'recording'],
    ['Grave seu nome, seu telefone e o motivo da ligação.', null],
    ['Please state your name, number and the reason for your call.', null],
    ['To leave a voicemail, press two.', 'menu'],
  ])('of words alone: "%s"', (text, expected) => {
    expect(kindOfWords(text)).toBe(expected);
  });
});
