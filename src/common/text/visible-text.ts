/**
 * A character that a reader sees. Spaces, control and format characters (zero-width space, marks of direction) are
 * none. Neither are characters that fonts leave out (Hangul fillers, variation selectors, tags), nor the two blank
 * symbols (Braille, music).
 *
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
export const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;

export function hasVisibleText(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}
