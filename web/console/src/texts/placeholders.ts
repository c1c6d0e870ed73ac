/** `{{name}}`, as a conversation fills it in; names may have any letter. */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{M}\p{N}_.-]+)\s*\}\}/gu;

/** The names of the variables that a text of an assistant or a tool asks for. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}
