/** `[label]: https://…`, to which other text refers (CommonMark 0.31 §4.7). */
const LINK_DEFINITION =
  /^\[[^\]^][^\]]*\]:\s*<?(?:[a-z][a-z\d+.-]*:|\/|www\.|#)\S*(?:\s+(?:".*"|'.*'|\(.*\)))?\s*$/i;
const DEFINITION_START = /^\[[^\]]{1,100}\]:/;
/** `[^1]` of a footnote, with the colon of the note itself. */
const FOOTNOTE = /\[\^[^\s[\]]{1,100}\]:?/g;
/** `[words][label]`, in a word; not the second index of `a[0][1]`. */
const REFERENCE = /(^|[^\p{L}\p{N}[\]])(\[?[^\s[\]]*\])\[[^\s[\]]{0,100}\]/gu;

/** Whether a line that begins with the word may be a definition. */
export function mayBeDefinition(word: string): boolean {
  return DEFINITION_START.test(word);
}

/** Whether a line says nothing but where a reference leads to. */
export function isLinkDefinition(line: string): boolean {
  return LINK_DEFINITION.test(line);
}

/** A word without marks of footnotes, and with an empty address in place of the label that a link refers to. */
export function withoutReferences(word: string): string {
  if (!word.includes(']')) return word;
  return word.replace(FOOTNOTE, '').replace(REFERENCE, '$1$2(#)');
}
