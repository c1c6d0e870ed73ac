import MarkdownIt from 'markdown-it';
import { withoutKeyCaps } from '../emoji.js';

/** How a line begins, which says what it is. */
export interface LineStart {
  readonly kind: 'text' | 'heading' | 'item' | 'rule';
  /** The number of an item of a list, as it is written. */
  readonly label: string;
  /** The text behind the marks, as Markdown. */
  readonly content: string;
}

/** Marks of quotations, lists, headings and tasks, one after the other. A bullet is not Markdown, but models write it. */
const MARKS = /^(?:(?:>|[-+*•](?=[ \t])|#{1,6}(?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ \t]))[ \t]*)*/;
/** Only lines that begin so need a parser. */
const MAY_BE_MARKED = /^(?:[>\-+*•#_\d]|\[[ xX]\])/;
const TASK = /^\[[ xX]\](?:[ \t]+|$)/;
/** Keys of a telephone that would be an empty heading or item. */
const KEY = /^[#*]$/;
/** `# para confirmar`, which is no heading, and `- * para voltar`. */
const KEY_OF_LINE = /^((?:[-+•]|\d{1,2}[.)])[ \t]+)?#([ \t]+\p{Ll})/u;
const KEY_OF_ITEM = /^((?:[-+•]|\d{1,2}[.)])[ \t]+)\*([ \t])/;

const markdown = new MarkdownIt();
markdown.block.ruler.disable(['code', 'fence', 'html_block', 'reference', 'lheading', 'table']);

/** The length of the marks at the beginning of a line, without the text behind them. */
export function lengthOfMarks(line: string): number {
  return MARKS.exec(line)?.[0].length ?? 0;
}

/** @param head a line, or its marks and the first word behind them */
export function readLineStart(head: string): LineStart {
  const line = withoutKeyCaps(head).replace(KEY_OF_LINE, '$1\\#$2').replace(KEY_OF_ITEM, '$1\\*$2');
  if (!MAY_BE_MARKED.test(line)) return { kind: 'text', label: '', content: line };
  if (KEY.test(line.trim())) return { kind: 'text', label: '', content: `\\${line.trim()}` };
  const tokens: Parameters<typeof markdown.block.parse>[3] = [];
  markdown.block.parse(line.replace(/^•/, '-'), markdown, {}, tokens);
  let kind: LineStart['kind'] = 'text';
  let label = '';
  let content = '';
  for (const token of tokens) {
    if (token.type === 'hr') kind = 'rule';
    else if (token.type === 'heading_open') kind = 'heading';
    else if (token.type === 'list_item_open') {
      kind = 'item';
      if (token.info !== '') label = `${label} ${token.info}${token.markup}`.trim();
    } else if (token.type === 'inline') content = token.content;
  }
  return { kind, label, content: kind === 'item' ? content.replace(TASK, '') : content };
}
