import { type Block, cleanText } from '../block.js';
import { addRaised, type DecimalMark, flatFractions } from './raised-text.js';
import { type CellSpan, TableGrid } from './table-grid.js';

/** A place in the line that is being read; null once the line has ended. */
export interface LineMark {
  readonly line: number;
  readonly at: number;
}

/** What is done on a line grows with its length; passages are shorter anyway. */
const MAX_LINE = 20_000;

/** A longer heading is a paragraph that is only set as one. */
const MAX_HEADING = 200;

interface OpenTable {
  readonly grid: TableGrid;
  /** Of the cell that is being read. */
  cell: string;
  span: CellSpan | null;
}

/** Puts the text of a document together: headings, paragraphs, list items, and a line for each row of a table. */
export class BlockBuilder {
  private readonly blocks: Block[] = [];
  private readonly tables: OpenTable[] = [];
  private line = '';
  private lineNumber = 0;
  private prefix = '';
  private headingLevel = 0;

  constructor(private readonly decimalMark: DecimalMark) {}

  addText(text: string): void {
    this.line += text;
    if (this.line.length > MAX_LINE) this.endLine();
  }

  /** A line of its own. */
  addLine(text: string): void {
    if (text === '') return;
    this.endLine();
    this.addText(text);
    this.endLine();
  }

  /** The next line begins with this, if it has text. */
  beginItem(prefix: string): void {
    this.endLine();
    this.prefix = prefix;
  }

  endItem(): void {
    this.endLine();
    this.prefix = '';
  }

  beginHeading(level: number): void {
    this.endLine();
    this.headingLevel = level;
  }

  endHeading(): void {
    this.endLine();
    this.headingLevel = 0;
  }

  get isInHeading(): boolean {
    return this.headingLevel > 0;
  }

  get isInCell(): boolean {
    return Boolean(this.tables.at(-1)?.span);
  }

  mark(): LineMark {
    return { line: this.lineNumber, at: this.line.length };
  }

  /** The text of the line since the mark; null when the line has ended since. */
  textSince({ line, at }: LineMark): string | null {
    return line === this.lineNumber ? this.line.slice(at) : null;
  }

  /**
   * Puts a blank before the text since the mark where an element ended without one, and a word or a number begins: `Mesa` and
   * `R$ 900` in two boxes of one line.
   */
  partWords(mark: LineMark): void {
    const text = this.textSince(mark);
    const before = this.line.charAt(mark.at - 1);
    if (text === null || !/^[\p{Lu}\d$€£]/u.test(text)) return;
    const isParted = /[\p{Ll}:;!?)%]/u.test(before) || (/\d/.test(before) && /^\p{Lu}\p{Ll}/u.test(text));
    if (isParted) this.line = `${this.line.slice(0, mark.at)} ${text}`;
  }

  /** Takes the text since the mark for raised above the line. */
  raise(mark: LineMark, isWeak: boolean): void {
    const text = this.textSince(mark);
    if (text === null) return;
    const before = this.line.slice(0, mark.at);
    this.line = addRaised({ before, text, decimalMark: this.decimalMark, isWeak });
  }

  /** The line so far, which is not added. */
  takeLine(): string {
    const text = cleanText(this.line);
    this.line = '';
    this.lineNumber++;
    return text;
  }

  /** Ends the paragraph; within a cell, what follows stays in its line. */
  endLine(): void {
    const cell = this.tables.at(-1);
    const line = this.takeLine();
    if (line === '') return;
    const text = flatFractions(this.prefix + line);
    this.prefix = '';
    if (cell?.span) {
      cell.cell += cell.cell === '' ? text : ` ${text}`;
    } else if (this.headingLevel > 0 && text.length <= MAX_HEADING) {
      this.blocks.push({ kind: 'heading', level: this.headingLevel, text });
    } else {
      this.blocks.push({ kind: 'text', text });
    }
  }

  beginTable(): void {
    this.endLine();
    this.tables.push({ grid: new TableGrid(), cell: '', span: null });
  }

  beginCell(span: CellSpan): void {
    this.endCell();
    this.endLine();
    const table = this.tables.at(-1);
    if (table) table.span = span;
  }

  endCell(): void {
    const table = this.tables.at(-1);
    if (!table?.span) return;
    this.endLine();
    this.prefix = '';
    table.grid.addCell(table.cell, table.span);
    table.span = null;
    table.cell = '';
  }

  /** A cell that continues the one above it. */
  continueCell(columns: number): void {
    this.endCell();
    this.tables.at(-1)?.grid.continueCell(columns);
  }

  endRow(): void {
    this.endCell();
    this.endLine();
    this.tables.at(-1)?.grid.endRow();
  }

  /** A table within a cell becomes a part of the cell's line. */
  endTable(): void {
    this.endCell();
    const lines = this.tables.pop()?.grid.lines() ?? [];
    for (const text of lines) this.addLine(text);
  }

  finish(): Block[] {
    while (this.tables.length > 0) this.endTable();
    this.endLine();
    return this.blocks;
  }
}
