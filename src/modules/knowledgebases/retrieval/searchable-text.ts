/** Accents, and the vowel signs and points of Hebrew and Arabic, which are optional there. Elsewhere marks are letters. */
const OPTIONAL_MARKS = new RegExp(
  `[${[
    String.raw`\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F`,
    String.raw`\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7`,
    String.raw`\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED`,
  ].join('')}]+`,
  'g',
);
const ALL_MARKS = /\p{M}+/gu;
/** Text without these is Latin, for which most of what follows has nothing to do. */
const BEYOND_LATIN = /[^\0-\u024F]/;
const INVISIBLE = /[\p{Cf}\u0640]+/gu;
/** PostgreSQL takes words of 2,046 bytes at most; one character of JavaScript has up to three. */
const ENDLESS_WORD = /\S{400}/g;

/** Lower case without accents: `Informação` becomes `informacao`. Forms of one character, such as full width, are one. */
export function foldAccents(text: string): string {
  const unmarked = text.normalize('NFKD').replace(OPTIONAL_MARKS, '');
  return (BEYOND_LATIN.test(unmarked) ? unmarked.normalize('NFC') : unmarked).toLowerCase();
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

/** Begins at the start of a word, so that a word without a hyphen is read once. */
const HYPHENATED = /(?<!\p{L})\p{L}{2,}(?:-\p{L}{2,})+/gu;

/** Scripts without spaces between words; and Korean, whose words have endings that no stemmer here knows. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC]/u;
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source}\\p{M}*)+`, 'gu');
const CHARACTER = /\P{M}\p{M}*/gu;
/** Scripts in which one character is often a word. */
const WORD_CHARACTER = /[\p{Script=Han}\p{Script=Hangul}]/u;

/**
 * A text as it is indexed. People type with and without accents and hyphens, so both sides are folded, and words with
 * a hyphen are there without it too. PostgreSQL's Portuguese needs some accents: by them `informação` and
 * `informações` are one word, and `não` is a stop word. These accents are put back on both sides, which changes
 * nothing for other languages. Scripts without spaces are indexed by their pairs of characters: 営業時間 as 営業, 業時 and
 * 時間.
 */
export function searchableText(text: string): string {
  return indexedForm(text, (run) => [...pairsOf(run), ...wordCharactersOf(run)]);
}

/** A question in the form of {@link searchableText}, and in that of passages that an older version has indexed. */
export function searchedText(question: string): string {
  const searched = indexedForm(question, pairsOf);
  return isUnspaced(question) ? `${searched} ${oldForm(question)}` : searched;
}

function isUnspaced(text: string): boolean {
  return BEYOND_LATIN.test(text) && UNSPACED.test(text);
}

function indexedForm(text: string, wordsOf: (run: string) => string[]): string {
  const plain = foldAccents(/[^\0-\u00AC\u00AE-\u024F]/.test(text) ? text.replace(INVISIBLE, '') : text);
  const spaced = isUnspaced(plain)
    ? plain.replace(UNSPACED_RUN, (run) => ` ${wordsOf(run).join(' ')} `)
    : plain;
  const joined = spaced.includes('-') ? spaced.split(' ').map(withJoinedParts).join(' ') : spaced;
  const folded = joined
    .replace(ENDLESS_WORD, '$& ')
    .toWellFormed()
    .replace(STOP_WORD, (word) => STOP_WORDS[word] ?? word);
  return ACCENTED_ENDINGS.reduce((words, [ending, accented]) => words.replace(ending, accented), folded);
}

function withJoinedParts(word: string): string {
  if (!word.includes('-')) return word;
  return word.replace(HYPHENATED, (parts) => `${parts} ${parts.replaceAll('-', '')}`);
}

/** Pairs of neighbouring characters; a character by itself is a word. */
function pairsOf(run: string): string[] {
  const characters = run.match(CHARACTER) ?? [];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function wordCharactersOf(run: string): string[] {
  const characters = run.match(CHARACTER) ?? [];
  return characters.length < 2 ? [] : characters.filter((character) => WORD_CHARACTER.test(character));
}

function oldForm(text: string): string {
  const runs = text.match(UNSPACED_RUN) ?? [];
  return runs
    .map((run) => run.normalize('NFKD').replace(ALL_MARKS, '').slice(0, 400).toWellFormed())
    .join(' ');
}
