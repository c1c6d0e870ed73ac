const COMBINING_MARKS = /\p{M}+/gu;

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

/**
 * A text as it is indexed and as it is looked for: people type with and without accents, so both sides are folded.
 * The stemmer, however, tells that `informação` and `informações` are one word by their accents; so these are put
 * back, on both sides alike. Other languages do not have these endings, or have them on both sides.
 */
export function searchableText(text: string): string {
  return ACCENTED_ENDINGS.reduce(
    (folded, [ending, accented]) => folded.replace(ending, accented),
    foldAccents(text),
  );
}
