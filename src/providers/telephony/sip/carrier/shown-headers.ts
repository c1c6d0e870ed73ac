/** Where a call came from before, and data that applications give to one another (RFC 5806, RFC 7044, RFC 7433). */
const SHOWN: ReadonlySet<string> = new Set(['diversion', 'history-info', 'user-to-user']);
const MAX_HEADERS = 20;
const MAX_BYTES = 1_024;

/**
 * The header fields of an INVITE that accounts may read, names in lower case. Values of one field are joined by commas
 * (RFC 3261 §7.3.1), and longer ones are cut off.
 */
export function shownHeadersOf(
  headers: Iterable<readonly [string, readonly string[]]>,
): Readonly<Record<string, string>> {
  const shown = [...headers].filter(([name]) => name.startsWith('x-') || SHOWN.has(name));
  return Object.fromEntries(
    shown.slice(0, MAX_HEADERS).map(([name, values]) => [name, textOf(values.join(', '))]),
  );
}

/** Header values hold one character per byte. A character that the end cuts in two is left out. */
function textOf(bytes: string): string {
  const text = Buffer.from(bytes.slice(0, MAX_BYTES), 'latin1').toString('utf8');
  return bytes.length > MAX_BYTES ? text.replace(/\uFFFD$/, '') : text;
}
