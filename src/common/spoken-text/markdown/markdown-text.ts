import { withoutEmoji, withoutKeyCaps } from '../emoji.js';
import { cellsOf, isTableHead } from './inline-markdown.js';
import { lengthOfMarks, type LineStart, readLineStart } from './line-start.js';
import { OpenMarkup } from './open-markup.js';
import { PlainText } from './plain-text.js';
import { isLinkDefinition, mayBeDefinition, withoutReferences } from './references.js';
import { MAX_WORD, UnreadText } from './unread-text.js';

/** A line or a word of signs that separates, or is meant as an ornament. */
const ORNAMENT = /^(?:\*{3,}|_{3,}|~{3,}|={3,}|-{3,})$/;
const FENCE = /^(?:`{3,}|~{3,})/;
/** The second line of a table, or the beginning of one. */
const TABLE_RULE = /^[ \t]*[|:-][|: \t-]*$/;
/** The address of a link, as of a picture that is written into it. */
const LONG_ADDRESS = /\]\([^\s()<>]{200,1000}$/;
/** `[ ] ` */
const TASK_LENGTH = 4;
/** The line before continues. */
const BEGINS_SMALL = /^[*_~`"'“«([]*\p{Ll}/u;

type Line = LineStart['kind'] | 'table' | 'code';

/**
 * Reads Markdown as it comes, and gives the text that a voice says: words of links, alternative texts of pictures, items of
 * lists and rows of tables as sentences, no HTML and no emoji. How the text is divided into chunks makes no difference to the
 * result. At most two lines of a table, or one word of MAX_WORD characters, are kept back.
 *
 * Inline markup is read by a CommonMark parser as soon as it is closed. Blocks are known by their first line: a block that is
 * waited for as a whole would be spoken too late.
 */
export class MarkdownText {
  private readonly unread = new UnreadText();
  private readonly markup = new OpenMarkup();
  private readonly plain = new PlainText();
  /** Of the last line that was begun; null: none was. */
  private line: Line | null = null;
  private isLineStart = true;
  private isBlankBefore = false;
  /** The marks that end the code that is being read. */
  private fence: string | null = null;
  private hasWords = false;
  private isPipeText = false;
  /** Within an address that is too long to be kept. */
  private skipsAddress = false;

  /** @returns plain text, with a line feed between lines; a space at its end is given with the next word */
  push(markdown: string): string {
    this.unread.push(markdown);
    return this.read();
  }

  end(): string {
    this.unread.complete();
    const text = this.read();
    this.plain.add(this.markup.release());
    if (this.line !== 'text') this.plain.endLine();
    return text + this.plain.take();
  }

  private read(): string {
    while (!this.unread.isEmpty && (this.isLineStart ? this.readLineStart() : this.readWord()));
    return this.plain.take();
  }

  /** @returns false: more text is needed, as from all methods that read */
  private readLineStart(): boolean {
    if (this.unread.skipSpaces()) this.plain.addSpace();
    if (this.fence !== null) return this.readCode(this.fence);
    switch (this.unread.first) {
      case '':
        return false;
      case '\n':
        this.isBlankBefore = true;
        this.unread.skip(1);
        return true;
      case '`':
      case '~':
        return this.readFence();
      default:
        return this.mayBeRow() ? this.readRow() : this.readMarks();
    }
  }

  private readFence(): boolean {
    const { beginning } = this.unread;
    const line = beginning.startsWith('```') || beginning.startsWith('~~~') ? this.unread.line() : '';
    if (line === null) return false;
    const [fence = ''] = FENCE.exec(line) ?? [];
    const isInline = fence.startsWith('`') && line.slice(fence.length).includes('`');
    if (fence === '' || isInline) return this.readMarks();
    this.beginLine('code');
    this.fence = fence;
    this.unread.skipLine(line);
    return true;
  }

  private readCode(fence: string): boolean {
    const line = this.unread.line();
    if (line === null) return false;
    const text = line.trimEnd();
    if (text.startsWith(fence) && text.replaceAll(fence.charAt(0), '') === '') this.fence = null;
    else this.plain.add(line);
    this.plain.endLine();
    this.unread.skipLine(line);
    return true;
  }

  private mayBeRow(): boolean {
    return this.unread.first === '|' || (this.line === 'table' && !this.isBlankBefore);
  }

  /** A row of a table, or its first two lines. */
  private readRow(): boolean {
    const row = this.unread.line();
    if (row === null) return false;
    if (this.line !== 'table' || this.isBlankBefore) {
      const head = this.readTableHead(row, row);
      if (head === null) return false;
      if (!head) return this.readMarks();
    } else if (row.includes('|')) this.unread.skipLine(row);
    else return this.readMarks();
    this.beginLine('table');
    this.addCells(cellsOf(row));
    this.isLineStart = true;
    return true;
  }

  /** Leaves out both lines where they are the head of a table. @param rest what is unread of the first line */
  private readTableHead(row: string, rest: string): boolean | null {
    const second = this.unread.line(rest.length + 1);
    if (second === null) return null;
    if (!TABLE_RULE.test(second) || !isTableHead(row, second)) return false;
    this.unread.skipLine(rest);
    this.unread.skipLine(second);
    return true;
  }

  private addCells(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      if (index > 0) this.plain.addComma();
      this.plain.add(cell);
    }
    this.plain.endLine();
  }

  /** The marks at the beginning of a line, and the first word behind them. */
  private readMarks(): boolean {
    const { beginning } = this.unread;
    const marks = Math.min(lengthOfMarks(beginning), MAX_WORD);
    const word = this.unread.wordLength(marks);
    const mayBeTask = beginning.charAt(marks) === '[';
    if (word === null || (mayBeTask && !this.unread.has(marks + TASK_LENGTH))) return false;
    if (marks === 0 && mayBeDefinition(beginning.slice(0, word))) {
      const line = this.unread.line();
      if (line === null) return false;
      if (isLinkDefinition(line)) {
        this.unread.skipLine(line);
        return true;
      }
    }
    const start = readLineStart(beginning.slice(0, marks + word));
    const isContinued = start.kind === 'text' && !this.isBlankBefore && this.line !== 'heading';
    this.beginLine(start.kind, isContinued ? start.content : '');
    if (start.label !== '') {
      this.plain.add(start.label);
      this.plain.addSpace();
    }
    this.unread.skip(marks + word);
    this.unread.unread(start.content);
    return true;
  }

  /** @param continuation the first word, where the line may belong to the paragraph before it */
  private beginLine(line: Line, continuation = ''): void {
    if (continuation !== '' && !this.markup.isEmpty) this.markup.addGap('\n');
    else {
      this.plain.add(this.markup.release());
      if (BEGINS_SMALL.test(continuation)) this.plain.addSpace();
      else this.plain.endLine();
    }
    if (continuation === '') this.markup.endBlock();
    this.line = line;
    this.isLineStart = line === 'code';
    this.isBlankBefore = false;
    this.hasWords = false;
    this.isPipeText = false;
  }

  private readWord(): boolean {
    if (this.unread.first === '\n') {
      this.unread.skip(1);
      this.isLineStart = true;
      return true;
    }
    if (this.skipsAddress) return this.skipAddress();
    if (this.unread.skipSpaces()) {
      if (this.markup.isEmpty) this.plain.addSpace();
      else this.markup.addGap(' ');
      return true;
    }
    const length = this.unread.wordLength();
    if (length === null) return false;
    return this.readWordOf(this.unread.beginning.slice(0, length));
  }

  private readWordOf(word: string): boolean {
    if (word === '|' && this.line === 'text' && !this.isPipeText) return this.readPipe();
    if (this.line === 'heading' && /^#+$/.test(word)) {
      const isClosing = this.unread.endsLine(word.length);
      if (isClosing === null) return false;
      if (isClosing) return this.skipWord(word);
    }
    if (!this.hasWords && ORNAMENT.test(word)) return this.skipWord(word);
    this.hasWords ||= withoutEmoji(word) !== '';
    this.skipsAddress = word.length >= MAX_WORD - 1 && LONG_ADDRESS.test(word);
    const markdown = this.skipsAddress
      ? word.replace(LONG_ADDRESS, '](#)')
      : withoutReferences(withoutKeyCaps(word));
    this.plain.add(this.markup.add(markdown) ?? '');
    return this.skipWord(word);
  }

  private skipWord(word: string): true {
    this.unread.skip(word.length);
    return true;
  }

  private skipAddress(): boolean {
    const { beginning } = this.unread;
    const end = beginning.search(/[\s)]/);
    this.skipsAddress = end === -1;
    this.unread.skip(end === -1 ? beginning.length : end + (beginning.charAt(end) === ')' ? 1 : 0));
    return true;
  }

  /** The second column of a table without outer pipes, or a sign. */
  private readPipe(): boolean {
    const rest = this.unread.line();
    const isHead = rest === null ? null : this.readTableHead(`a ${rest}`, rest);
    if (rest === null || isHead === null) return false;
    this.isPipeText = !isHead;
    if (!isHead) return true;
    this.plain.add(this.markup.release());
    this.plain.addComma();
    this.addCells(cellsOf(`a ${rest}`).slice(1));
    this.line = 'table';
    this.isLineStart = true;
    return true;
  }
}
