import { foldedText } from '../../common/text/folded-text.js';

/** Scripts that write no spaces between words: each character counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Words without case, accents and punctuation; a letter that is drawn out counts once. So "Uhuuum!" is `uhum`, as "uhum" is,
 * and "Tá, tá." is `ta ta`.
 */
export function plainWords(text: string): string[] {
  const folded = foldedText(text).replaceAll(/[ー〜~]/gu, '');
  // Hangul is put together again: its letters were taken apart with the accents.
  const words = folded.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? Array.from(word) : [word])).map(shortened);
}

/** Words as one, as "mm hmm" and "mm-hmm" are the same. */
export function joinedWords(words: readonly string[]): string {
  return shortened(words.join(''));
}

function shortened(word: string): string {
  const letters = Array.from(word);
  return letters.filter((letter, index) => letter !== letters[index - 1] || /\P{L}/u.test(letter)).join('');
}
