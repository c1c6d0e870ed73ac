/** `{{name}}`, as a conversation fills it in; names are those of columns, with blanks, accents and signs. */
const PLACEHOLDER = /\{\{([^{}\\]{1,240})\}\}/gu;
const SIMPLE_NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u;
const NOT_IN_NAMES = /["`:;<>=|\r\n]|^[#/^!>&@']/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MAX_NAME_LENGTH = 200;

/** The names of the variables that a text of an assistant or a tool asks for. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()).filter(isName);
}

function isName(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  return SIMPLE_NAME.test(text) || (LETTER_OR_DIGIT.test(text) && !NOT_IN_NAMES.test(text));
}
