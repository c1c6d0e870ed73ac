const DEFINITION_START = /^\[[^\]]{1,100}\]:/;
const ADDRESS = /^<?(?:[a-z][a-z\d+.-]{1,20}:|\/|www\.|#)/i;
const TITLE = /^["'(]/;
/** `[^1]` of a footnote, with the colon of the note itself. */
const FOOTNOTE = /\[\^[^\s[\]]{1,100}\]:?/g;
/** The label in `[words][label]`. */
const LABEL = /\]\[[^\s[\]]{0,100}\]/g;
const WORD = /[\p{L}\p{N}]/u;

/** Whether a line that begins with the word may be a definition. */
export function mayBeDefinition(word: string): boolean {
  return DEFINITION_START.test(word);
}

/** Whether a line that may be a definition says only where a reference leads to: `[label]: https://… "title"` (CommonMark 0.31 §4.7). */
export function isLinkDefinition(line: string): boolean {
  const [target = '', title = '"'] = line
    .slice(line.indexOf(']:') + 2)
    .trim()
    .split(/\s+/, 2);
  return !line.startsWith('[^') && ADDRESS.test(target) && TITLE.test(title);
}

/** A word without marks of footnotes, and with an empty address in place of the label that a link refers to. */
export function withoutReferences(word: string): string {
  if (!word.includes(']')) return word;
  const text = word.replace(FOOTNOTE, '');
  return text.replace(LABEL, (label, at: number) => (isIndex(text, at) ? label : '](#)'));
}

/** The brackets of `a[0][1]` follow a word. */
function isIndex(text: string, closeAt: number): boolean {
  const open = text.lastIndexOf('[', closeAt);
  return open > 0 && WORD.test(text.charAt(open - 1));
}
