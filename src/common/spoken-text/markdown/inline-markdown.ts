import MarkdownIt, { type Token } from 'markdown-it';
import { isDense } from '../scripts.js';
import { removeLoneStrong, unclosedEmphasis } from './open-emphasis.js';

/** How many characters are kept back at most for markup that is still open; a link has an address. */
const MAX_HELD = { code: 120, tag: 200, link: 300 };

/** Elements of HTML that begin or end a line. */
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|footer|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|td|th|tr|ul)\b/i;

const WORD = /[\p{L}\p{N}]/u;
const CLOSING = /[.,;:!?)\]}»”’…]/;
const OPENING = /[([{«“‘¿¡]/;
const QUOTE = /["'“”‘’]/;
/** Between the groups of a number, also of one that is masked: `***.456.789-**`. */
const GROUPING = /[-./]/;
const GROUPED_DIGIT = /^[./]\d/;

type ScannedDelimiters = ReturnType<InstanceType<typeof MarkdownIt.StateInline>['scanDelims']>;

export interface SpokenInline {
  /** As it is spoken; a line break is `\n`. */
  readonly text: string;
  /** Strong emphasis was opened, and its end is not in this text. */
  readonly isStrong: boolean;
  /** Markup is open, and is kept back until this many characters are there; null: nothing is open. */
  readonly maxHeld: number | null;
}

/**
 * Finds out which marks are emphasis. Stricter than CommonMark where spoken text has signs of its own (`5*3*2`,
 * `tecle *.`). Less strict next to the punctuation of `**标题：**正文`, which CommonMark leaves as it is.
 */
class SpokenState extends MarkdownIt.StateInline {
  override scanDelims(start: number, canSplitWord: boolean): ScannedDelimiters {
    const found = super.scanDelims(start, canSplitWord);
    const { length } = found;
    const before = characterBefore(this.src, start);
    const after = characterAfter(this.src, start + length);
    const isMask = length > 1 && GROUPED_DIGIT.test(this.src.slice(start + length, start + length + 2));
    if (isMask || isSign(before, after, length)) return { can_open: false, can_close: false, length };
    if (WORD.test(before) && WORD.test(after)) return found;
    const isClear = length > 1 || isDense(before) || isDense(after);
    const mayOpen = found.can_open || (isClear && /\S/.test(after));
    const mayClose = found.can_close || (isClear && /\S/.test(before));
    return {
      can_open: mayOpen && (length > 1 || !CLOSING.test(after)),
      can_close: mayClose && (length > 1 || !OPENING.test(before)),
      length,
    };
  }
}

const markdown = new MarkdownIt({ html: true });
markdown.inline.State = SpokenState;
// It moves tokens that delimiters refer to.
markdown.inline.ruler2.disable('fragments_join');
// Nothing is linked to: addresses are spoken as they are written.
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
markdown.normalizeLinkText = (url) => url;

/**
 * Reads the text of a line, or the beginning of one.
 *
 * @param isStrong strong emphasis was opened before it
 */
export function spokenInline(source: string, isStrong: boolean): SpokenInline {
  const tokens: Token[] = [];
  const state = new SpokenState(source, markdown, {}, tokens);
  markdown.inline.tokenize(state);
  for (const rule of markdown.inline.ruler2.getRules('')) rule(state);
  const isStillStrong = removeLoneStrong(tokens, state.delimiters, isStrong);
  const maxHeld = Math.max(unclosedEmphasis(tokens, state.delimiters), unclosedBrackets(tokens));
  return { text: wordsOf(tokens), isStrong: isStillStrong, maxHeld: maxHeld === 0 ? null : maxHeld };
}

/** The cells of a row of a table, as they are spoken. */
export function cellsOf(row: string): string[] {
  const columns = row.split('|').length + 1;
  const head = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n`;
  return markdown
    .parse(head + row, {})
    .filter(({ type }) => type === 'inline')
    .slice(columns)
    .map(({ content }) => spokenInline(content, false).text.trim())
    .filter((cell) => cell !== '');
}

/** Whether two lines are the head of a table. */
export function isTableHead(first: string, second: string): boolean {
  return markdown.parse(`${first}\n${second}`, {})[0]?.type === 'table_open';
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(wordsOfToken).join('');
}

function wordsOfToken({ type, content, children }: Token): string {
  switch (type) {
    case 'text':
    case 'text_special':
    case 'code_inline':
      return content;
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'image':
      return wordsOf(children ?? []);
    case 'html_inline':
      return BLOCK_TAG.test(content) ? '\n' : '';
    default:
      return '';
  }
}

/** Of a code span, a tag or a link that has begun: how long it is waited for; 0: there is none. */
function unclosedBrackets(tokens: readonly Token[]): number {
  const text = tokens.map(({ type, content }) => (type === 'text' ? content : '')).join('');
  const bracket = text.lastIndexOf('[');
  const address = text.lastIndexOf('](');
  const tag = text.lastIndexOf('<');
  if (bracket > text.lastIndexOf(']') || (address > 0 && !text.includes(')', address))) return MAX_HELD.link;
  if (tag !== -1 && /[A-Za-z/!?]/.test(text.charAt(tag + 1)) && !text.includes('>', tag)) return MAX_HELD.tag;
  return text.includes('`') ? MAX_HELD.code : 0;
}

/** `5*3`, `2**3`, `"*"`, and what masks a number. */
function isSign(before: string, after: string, length: number): boolean {
  const areBoth = (kind: RegExp) => kind.test(before) && kind.test(after);
  if (areBoth(QUOTE) || areBoth(GROUPING) || areBoth(/\d/)) return true;
  return length === 1 && areBoth(WORD) && !isDense(before) && !isDense(after);
}

function characterBefore(text: string, at: number): string {
  return /[^]$/u.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? ' ';
}

function characterAfter(text: string, at: number): string {
  return /^[^]/u.exec(text.slice(at, at + 2))?.[0] ?? ' ';
}
