const COMBINING_MARKS = /\p{M}+/gu;
/** PostgreSQL takes words of 2,046 bytes at most; one character of JavaScript has up to three. */
const ENDLESS_WORD = /\S{400}/g;

/** Lower case without accents: `Informação` becomes `informacao`. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase();
}

/** Endings that the Portuguese stemmer knows only with their accents. */
const ACCENTED_ENDINGS: readonly (readonly [ending: RegExp, accented: string])[] = [
  [/cao\b/g, 'ção'],
  [/coes\b/g, 'ções'],
  [/encia(s?)\b/g, 'ência$1'],
  [/avel\b/g, 'ável'],
  [/ivel\b/g, 'ível'],
];

/** Words that say nothing, which the list of stop words has only with their accents. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  nao: 'não',
  sao: 'são',
  ate: 'até',
  ja: 'já',
  tambem: 'também',
  so: 'só',
  voce: 'você',
  voces: 'vocês',
  sera: 'será',
  serao: 'serão',
  estao: 'estão',
  ha: 'há',
};
const STOP_WORD = new RegExp(`\\b(?:${Object.keys(STOP_WORDS).join('|')})\\b`, 'g');

/**
 * A text as it is indexed and as it is looked for: people type with and without accents, so both sides are folded.
 * PostgreSQL's Portuguese, however, tells by accents that `informação` and `informações` are one word, and that `não`
 * says nothing; so these accents are put back, on both sides alike, which changes nothing for other languages.
 */
export function searchableText(text: string): string {
  const folded = foldAccents(text)
    .replace(ENDLESS_WORD, '$& ')
    .toWellFormed()
    .replace(STOP_WORD, (word) => STOP_WORDS[word] ?? word);
  return ACCENTED_ENDINGS.reduce((words, [ending, accented]) => words.replace(ending, accented), folded);
}
