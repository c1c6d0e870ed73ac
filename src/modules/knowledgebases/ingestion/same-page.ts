/** Share of the words of a page that another one has, too, from which on they are two addresses of one page. */
const SAME_SHARE = 0.8;

/**
 * Whether a page says nothing but what another one says. A page that names another as its own address is believed only then:
 * some sites name their start page on each of their pages.
 */
export function isSamePage(text: string, other: string): boolean {
  const words = wordsOf(text);
  if (words.size === 0) return true;
  const others = wordsOf(other);
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return shared >= words.size * SAME_SHARE;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
