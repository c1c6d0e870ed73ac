/**
 * A character that a reader sees: no space, no control or format character (zero-width space, marks of direction), none that
 * fonts leave out (Hangul fillers, variation selectors, tags), and none of the two symbols that are blank (Braille, music).
 *
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
export const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;

export function hasVisibleText(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}
