const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;

/** Whether a reader sees anything of a text: the server refuses it otherwise. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}
