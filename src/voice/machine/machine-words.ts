/** What answers, as its words tell. `recorder`: it is going to record; `recording`: perhaps, or nothing comes of it. */
export type SpokenKind = 'recorder' | 'recording' | 'menu' | 'screening';

/** In the order they are tried. */
const KINDS: readonly (readonly [SpokenKind, readonly RegExp[]])[] = [
  // Who screens a call may ask for a name after a tone: what nobody else says is looked for first.
  [
    'screening',
    [
      // Portuguese
      /\b(triagem|filtr(o|agem)|selecao) (de|das|da sua) (chamadas?|ligac(ao|oes)|telefonemas?)\b/,
      /\b(servico|assistente|recurso)( \w+){0,2} (de|para) (triagem|filtragem|filtrar|selecionar)\b/,
      /\b(diga|fale|grav(e|ar)|informe|disser|falar) (o )?(seu )?nome\b.{0,80}\b(ver(ificar)?|checar|consultar) se\b.{0,40}\b(disponivel|pode atender)\b/,
      /\b(diga|fale|grave|informe) (o )?(seu )?nome\b.{0,60}\b(tentar(emos|ei)?|vamos|vou|iremos) (\w+ ){0,2}(conectar|completar|transferir)\b/,
      /\bantes de (tentar )?(te )?(conectar|completar|transferir)\b.{0,80}\b(nome|assunto|motivo|quem (esta|ta) (ligando|falando))\b/,
      // English
      /\b(call screening|screening (service|assistant|this call|your call|calls?))\b/,
      /\b(is|are|be(ing)?) screen(ing|ed)\b/,
      /\bcall assist\b/,
      /\b(say|state|record|give|speak) your name\b.{0,80}\b(see|check|find out) if\b.{0,40}\bavailable\b/,
      /\b(say|state|record|give|speak) your name\b.{0,60}\b(try to |trying to |will |before i |before being )(\w+ )?connect(ed|ing)?\b/,
      /\bbefore (i|we|being|you are) (\w+ ){0,3}connect(ed|ing)?\b.{0,80}\b(name|calling about|why you|reason)\b/,
    ],
  ],
  [
    'recorder',
    [
      // Portuguese; who screens calls asks for a name alone
      /^(?!.*\b(direita|esquerda|rua|avenida|esquina)\b).*(?<!\bnome )\b(apos|depois do|ao ouvir|depois de ouvir)( o)? (sinal|bipe?|tom)\b/,
      /\bgrave (a )?sua mensagem\b/,
      /\bdeix[ea]( [ao])?( (sua|seu|uma|um))? (mensagem|recado|nome)\b/,
      // English; a menu says what to press "to leave a message"
      /(?<!\b(to|can|may|could) )\bleave (me |us )?(a|your|the) (short |brief |detailed )?(message|name)\b/,
      /(?<!\bname )\b(after|at) the (tone|beep|signal)\b/,
      /\brecord (a|your) message\b/,
    ],
  ],
  [
    'screening',
    [
      /\b(diga|fale|grav(e|ar)|informe) (o )?(seu )?nome\b(?!.{0,60}\b(telefone|numero|recado|mensagem)\b).{0,60}\b(motivo|assunto|por ?que (voce )?(esta|ta) ligando)\b/,
      /\b(say|state|record|speak) your name\b(?!.{0,60}\b(number|message)\b).{0,60}\b(why (you are|you're)|reason|purpose|what (you are|you're) calling)\b/,
      /\bdiga quem (e voce|voce e|(esta )?(ligando|falando))\b.{0,40}\b(motivo|assunto|por ?que)\b/,
      /\b(say|state) who (you are|is calling|it is)\b.{0,40}\b(why|reason|purpose)\b/,
    ],
  ],
  [
    'menu',
    [
      // "Um" and "one" are words of everybody
      /\b(para|se)\b.{2,80}\b(digite|tecle|pressione|aperte|disque) um\b(?! (pouco|numero|minuto|momento|botao|dos|por)\b)/,
      /\b(digite|tecle|pressione|aperte|disque) um (para|se)\b/,
      /\b(for|to|if)\b.{2,80}\b(press|dial|enter|push)( or say)? one\b(?! (more|of|moment|last)\b)/,
      /\b(press|dial|enter|push)( or say)? one (for|to|if|now)\b/,
      // Portuguese
      /\b(digite|tecle|pressione|aperte|disque)( ou diga)?( a (opcao|tecla)| o (numero|digito))? (\d|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|zero|asterisco|estrela|sustenido|jogo da velha)\b/,
      /\b(digite|tecle|disque|informe) (agora )?(o |os |a |as )?(numeros? d[eo]|(\w+ )?digitos|seu cpf|seu cnpj|cpf|cnpj|ramal|codigo|opcao|senha)\b/,
      /\bmenu (principal|anterior|de opcoes)\b/,
      /\bouca (atentamente )?(as|nossas) (seguintes )?opcoes\b/,
      /\b(escolha|selecione) uma das (seguintes )?opcoes\b/,
      // English
      /(?<!\b(emergency|hang up)\b.{0,40})\b(press|dial|enter|push)( or say)?( the)?( number| digit)? (\d|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash)\b(?! one\b)/,
      /\b(enter (your|the) (\w+ ){0,2}(number|pin|password|code|digits?)|party's extension|(enter|dial) (your|the) extension)\b/,
      /\b(main|previous) menu\b/,
      /\b(menu )?options have (recently )?changed\b/,
      /\b(listen (carefully )?to|choose from|select from) (the |our |one of the )?(following |menu )*(options|menu)\b/,
    ],
  ],
  [
    'recording',
    [
      // Portuguese
      /\bcaixa (postal|de mensagens?|de voz)\b/,
      /\bcorreio de voz\b/,
      /\bsecretaria eletronica\b/,
      /\b(nao (posso|podemos|pode)|impossibilitad[oa] de) atender\b.*\b(mensagem|recado|retorn\w+)\b/,
      /\b(numero|telefone|celular|aparelho)\b.*\b(desligado|fora (da|de) area|indisponivel)\b/,
      // English
      /(?<!\bto leave a )\b(voice ?mail|mailbox|answering machine)\b/,
      /\b(can ?not|can'?t|unable to) (take|answer|get to|come to) (your call|the phone)\b/,
      /\b(you have|you've) reached\b.*\b(not available|unavailable|voice ?mail|leave)\b/,
      /\b(person|party|customer|subscriber|number)\b.*\b(is )?(not available|unavailable|switched off)\b/,
    ],
  ],
];

/**
 * What says such words, in Portuguese or English; null where a person might. Words may be the beginning of more: what a text is
 * taken for may change as it grows.
 */
export function kindOfWords(text: string): SpokenKind | null {
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/ +/g, ' ');
  return KINDS.find(([, words]) => words.some((pattern) => pattern.test(folded)))?.[0] ?? null;
}
