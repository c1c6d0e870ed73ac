import type { Block } from '../../block.js';
import { BlockBuilder, type LineMark } from '../block-builder.js';

export interface Paragraph {
  styleId: string;
  numId?: string;
  listLevel?: number;
  outlineLevel?: number;
  /** Its number is written, and its text continues. */
  hasBegun: boolean;
}

export interface Run {
  isStruck: boolean;
  isHidden: boolean;
  isRaised: boolean;
  /** Where its text begins. */
  mark: LineMark | null;
}

interface Table {
  columns: number;
  /** A table of one column only frames what is in it; null until the first row. */
  isLayout: boolean | null;
}

interface Cell {
  columns: number;
  isContinued: boolean;
  hasBegun: boolean;
}

/** What is being read: the text of a part, or of a text box in it. */
export class PartState {
  readonly builder = new BlockBuilder(',');
  readonly tables: Table[] = [];
  readonly cells: Cell[] = [];
  /** Text boxes of the paragraph, which come after it. */
  boxes: Block[] = [];
  /** Number of the note that begins. */
  notePrefix = '';
  paragraph: Paragraph | null = null;
  run: Run | null = null;

  beginTable(): void {
    this.tables.push({ columns: 0, isLayout: null });
  }

  beginRow(): void {
    const table = this.tables.at(-1);
    if (!table || table.isLayout !== null) return;
    table.isLayout = table.columns === 1;
    if (!table.isLayout) this.builder.beginTable();
  }

  endRow(): void {
    if (this.isInData) this.builder.endRow();
    else this.builder.endLine();
  }

  endTable(): void {
    if (this.isInData) this.builder.endTable();
    this.tables.pop();
  }

  addEmptyCells(columns: number): void {
    if (!this.isInData || !(columns > 0)) return;
    this.builder.beginCell({ columns, rows: 1 });
    this.builder.endCell();
  }

  /** Once it is known how wide the cell is, and whether it continues the one above. */
  beginCell(): void {
    const cell = this.cells.at(-1);
    if (!cell || cell.hasBegun || !this.isInData) return;
    cell.hasBegun = true;
    if (cell.isContinued) this.builder.continueCell(cell.columns);
    else this.builder.beginCell({ columns: cell.columns, rows: 1 });
  }

  endCell(): void {
    this.beginCell();
    const cell = this.cells.pop();
    if (this.isInData && !cell?.isContinued) this.builder.endCell();
  }

  /** Word shows nothing of what is in a cell that continues another. */
  get isInContinuedCell(): boolean {
    return this.isInData && Boolean(this.cells.at(-1)?.isContinued);
  }

  addBoxes(): void {
    for (const block of this.boxes) {
      if (block.kind === 'heading') this.builder.beginHeading(block.level);
      this.builder.addText(block.text);
      if (block.kind === 'heading') this.builder.endHeading();
      else this.builder.endLine();
    }
    this.boxes = [];
  }

  private get isInData(): boolean {
    return this.tables.at(-1)?.isLayout === false;
  }
}
