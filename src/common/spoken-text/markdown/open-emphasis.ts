import type { Delimiter, Token } from 'markdown-it';

/** How many characters are kept back at most. Emphasis is short, and an asterisk alone is often a key. */
const MAX_HELD = { emphasis: 60, strikethrough: 200 };

/** Delimiters of one run, such as `**`, without a partner. */
interface LoneRun {
  readonly tokens: readonly Token[];
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
  /** The character behind it. */
  readonly next: string;
}

/**
 * Removes `**` and `__` whose partner is in a part of the line that was read before, or is still to come: they are no
 * signs of their own in front of a word. Single ones may be keys, and those in front of digits a masked number.
 *
 * @returns whether strong emphasis is open behind the tokens
 */
export function removeLoneStrong(
  tokens: readonly Token[],
  delimiters: readonly Delimiter[],
  isStrong: boolean,
): boolean {
  let isOpen = isStrong;
  for (const { length, opens, closes, next, tokens: marks } of loneRuns(tokens, delimiters)) {
    if (length < 2) continue;
    if (closes && isOpen) isOpen = false;
    else if (opens && /\p{L}/u.test(next)) isOpen = true;
    else continue;
    for (const mark of marks) mark.content = '';
  }
  return isOpen;
}

/** How long the end of emphasis is waited for that has begun; 0: there is none. */
export function unclosedEmphasis(tokens: readonly Token[], delimiters: readonly Delimiter[]): number {
  let maxHeld = 0;
  for (const { opens, length, tokens: marks } of loneRuns(tokens, delimiters))
    if (opens && marks.some(({ content }) => content !== ''))
      maxHeld = Math.max(maxHeld, length === 0 ? MAX_HELD.strikethrough : MAX_HELD.emphasis);
  return maxHeld;
}

function loneRuns(tokens: readonly Token[], delimiters: readonly Delimiter[]): LoneRun[] {
  const matched = new Set<number>();
  for (const [index, { end }] of delimiters.entries()) if (end !== -1) matched.add(index).add(end);
  const runs: LoneRun[] = [];
  for (let index = 0; index < delimiters.length; index++) {
    const first = delimiters[index];
    if (!first || matched.has(index)) continue;
    let last = first;
    while (isNextOfRun(last, delimiters[index + 1]) && !matched.has(index + 1))
      last = delimiters[++index] ?? last;
    runs.push({
      tokens: tokens.slice(first.token, last.token + 1),
      length: first.length ?? 0,
      opens: first.open,
      closes: first.close,
      next: nextCharacter(tokens, last.token + 1),
    });
  }
  return runs;
}

function isNextOfRun(one: Delimiter, next: Delimiter | undefined): boolean {
  return next?.marker === one.marker && next.token === one.token + 1;
}

function nextCharacter(tokens: readonly Token[], from: number): string {
  for (let index = from; index < tokens.length; index++) {
    const first = tokens[index]?.content.codePointAt(0);
    if (first !== undefined) return String.fromCodePoint(first);
  }
  return '';
}
