import { isHighSurrogate } from './character-joiner.js';

/** Letters and signs of Chinese and Japanese, which write no spaces and need few characters for a sentence. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFFEF]/u;
const ALL_DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFFEF]/gu;

/** A character of a script that separates no words, with another one behind it that is no mark on it. */
const UNSPACED_BOUNDARY =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFFEF\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}](?=[^\s\p{M}\p{Join_Control}])/u;

/** Scripts that separate phrases by spaces, and have no mark for the end of a sentence. */
const PHRASE_SPACED = /[\p{Script=Thai}\p{Script=Lao}]\p{M}{0,3}$/u;

/** As long in speech as so many letters of the Latin script. */
const LETTERS_PER_DENSE = 4;

/** Something that a voice can say: more than punctuation. Keys of a telephone are. */
const SAYABLE = /[^\s\p{P}]|[#*&%@]/u;

export function isSayable(text: string): boolean {
  return SAYABLE.test(text);
}

export function isDense(character: string): boolean {
  return DENSE.test(character);
}

/** Whether a space after this text may be the only sign that a sentence has ended. */
export function separatesPhrasesBySpaces(text: string): boolean {
  return PHRASE_SPACED.test(text.slice(-4));
}

/** How long a text is in speech, counted in letters of the Latin script. */
export function spokenLength(text: string): number {
  const dense = text.match(ALL_DENSE)?.length ?? 0;
  return text.length + dense * (LETTERS_PER_DENSE - 1);
}

/** Where the first character ends that has a word boundary after it although no space follows; -1: nowhere. */
export function unspacedBoundary(text: string): number {
  const found = UNSPACED_BOUNDARY.exec(text);
  return found ? found.index + found[0].length : -1;
}

/** Moves a cut in front of a surrogate pair that it would split. */
export function wholeCharacters(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at - 1)) && at < text.length ? at - 1 : at;
}
