/** A word of a text: compared in its folded form, quoted by its place in the original. */
export interface Word {
  /** Lower case, without accents. */
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/** "e-mail" is one word; any other hyphen joins two. */
const WORD = /(?<![\p{L}\p{N}])e-mails?(?!\p{L})|[\p{L}\p{M}\p{N}]+/giu;

/** Words that carry grammar and politeness, not content; without accents. */
const STOP_WORDS = new Set(
  `
  a o as os um uma uns umas ao aos da das de do dos na nas no nos num numa pela pelas pelo pelos e ou em
  com sem por para pra pro que qual quais quem como onde quando quanto quanta quantos quantas se sobre ate
  eu tu voce voces ele ela eles elas nos me te lhe meu minha meus minhas seu sua seus suas nosso nossa
  este esta estes estas esse essa esses essas isto isso aquele aquela aquilo aqui ai ali la
  ser sou es eh somos sao foi era estar estou estao ter tenho tem temos ha vai vou vamos ir fazer faz faca faco
  posso pode podem poderia consigo quero queria querem gostaria preciso precisa saber
  cade diga dizer fala falar favor obrigado obrigada oi ola alo bom boa dia tarde noite mais muito tambem ja so
  agora hoje sim nao pois entao mas
  the an of to in on at by for from with without and or but is are am was were be been do does did has have
  had will would can could should may might shall i you he she it we they my your his her its our their this that these
  those there here what which who whom whose how where when why if so as about into than then too very
  please thanks thank hi hello hey good morning afternoon evening want wanna like need know tell let us me
  yes not dont now today s t re ll ve m
  `
    .trim()
    .split(/\s+/),
);

export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: match, index }) => ({
    folded: fold(match).replace('-', ''),
    start: index,
    end: index + match.length,
  }));
}

export function isStopWord(folded: string): boolean {
  return STOP_WORDS.has(folded);
}

/** The folded words that carry content, each once, in order. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text).map((word) => word.folded);
  return [...new Set(words.filter((word) => !isStopWord(word)))];
}

/**
 * Whether two folded words are forms of one word: pedido and pedidos, agendar and agendamento. Without
 * a dictionary, the beginning decides: five letters and half of the longer word, or four
 * letters and nearly two thirds (envie and enviar).
 */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (hasDigit(a) || hasDigit(b)) return false;
  if (singular(a) === singular(b)) return true;
  const longer = Math.max(a.length, b.length);
  const common = commonPrefixLength(a, b);
  return common >= Math.max(5, longer / 2) || common >= Math.max(4, longer * 0.65);
}

export function includesWord(words: readonly string[], word: string): boolean {
  return words.some((candidate) => isSameWord(candidate, word));
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function commonPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
