const WORD = /\p{L}[\p{L}\p{M}]+/gu;
/** Scripts of which one word has one; Japanese and Korean words have several that count as one. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /[\p{Script=Armenian}\p{Script=Georgian}\p{Script=Ethiopic}\p{Script=Cherokee}]/u,
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u,
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}]/u,
  /[\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u,
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u,
];
/** Beyond Latin letters and general punctuation. */
const OTHER_SCRIPT = /[^\0-\u02FF\u1E00-\u1EFF\u2000-\u22FF]/;
const MIN_WORDS = 8;
const MIN_MIXED = 0.4;
const MAX_LENGTH = 20_000;

/**
 * Whether most words have letters of several scripts, as those of no language do: a font that numbers its glyphs as it likes
 * and does not say which letters they are gives such text.
 */
export function isGarbled(text: string): boolean {
  if (!OTHER_SCRIPT.test(text)) return false;
  const words = text.slice(0, MAX_LENGTH).match(WORD) ?? [];
  const mixed = words.filter((word) => SCRIPTS.filter((script) => script.test(word)).length > 1).length;
  return words.length >= MIN_WORDS && mixed > words.length * MIN_MIXED;
}
