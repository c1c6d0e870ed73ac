/** Characters a voice says in a second, at the slow end: rather a word twice than a word lost. */
const CHARACTERS_PER_SECOND = 11;

/**
 * What of a text is still to be said when a voice broke off.
 *
 * @param heardMs how long it has spoken
 * @returns the rest, from the beginning of a word; the whole text when nothing was heard
 */
export function unheardPart(text: string, heardMs: number): string {
  const said = Math.floor((heardMs / 1_000) * CHARACTERS_PER_SECOND);
  if (said <= 0) return text;
  if (said >= text.length) return lastWord(text);
  const wordStart = text.lastIndexOf(' ', said) + 1;
  return text.slice(wordStart);
}

function lastWord(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf(' ') + 1);
}
