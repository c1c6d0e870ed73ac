/** What pages ask for beyond is a mistake or an attack: each span is written out. */
const MAX_COLUMNS = 200;
const MAX_ROWS_SPANNED = 1_000;
const MAX_REPEATED_CELLS = 20_000;

interface SpanningCell {
  readonly text: string;
  rowsLeft: number;
}

export interface CellSpan {
  readonly columns: number;
  /** 0 for all rows that follow. */
  readonly rows: number;
}

/** A table as rows of text in which each cell is repeated in all rows and columns that it covers. */
export class TableGrid {
  private readonly rows: string[][] = [];
  private readonly spanning = new Map<number, SpanningCell>();
  private row: string[] = [];
  private cells = 0;
  private repeated = 0;

  addCell(text: string, { columns, rows }: CellSpan): void {
    this.fillSpanned();
    this.cells++;
    const width = this.allowed(Math.min(columns, MAX_COLUMNS - this.row.length));
    const height = rows === 0 ? MAX_ROWS_SPANNED : Math.min(rows, MAX_ROWS_SPANNED);
    for (let i = 0; i < width; i++) {
      if (height > 1) this.spanning.set(this.row.length, { text, rowsLeft: height });
      this.row.push(text);
    }
  }

  /** A cell that continues the one above. */
  continueCell(columns: number): void {
    const above = this.rows.at(-1)?.[this.row.length] ?? '';
    this.addCell(above, { columns, rows: 1 });
  }

  endRow(): void {
    this.fillSpanned();
    for (const [column, cell] of this.spanning) {
      while (cell.rowsLeft > 0 && this.row.length <= column && this.repeat()) {
        this.row.push(this.row.length === column ? cell.text : '');
      }
      if (--cell.rowsLeft <= 0) this.spanning.delete(column);
    }
    // One cell over all columns is a title.
    this.rows.push(this.cells === 1 && new Set(this.row).size === 1 ? this.row.slice(0, 1) : this.row);
    this.row = [];
    this.cells = 0;
  }

  /** One line a row; columns that hold nothing are left out, empty cells between others are not. */
  lines(): string[] {
    const width = this.rows.reduce((most, { length }) => Math.max(most, length), 0);
    const used = Array.from({ length: width }, (_, column) => this.rows.some((row) => row[column]?.trim()));
    return this.rows.map((row) => {
      const cells = row.filter((_, column) => used[column]);
      return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1).join(' | ');
    });
  }

  /** Cells of rows above that reach into this one. */
  private fillSpanned(): void {
    for (
      let cell = this.spanning.get(this.row.length);
      cell !== undefined && cell.rowsLeft > 0 && this.row.length < MAX_COLUMNS && this.repeat();
      cell = this.spanning.get(this.row.length)
    ) {
      this.row.push(cell.text);
    }
  }

  private allowed(width: number): number {
    let allowed = 1;
    while (allowed < width && this.repeat()) allowed++;
    return allowed;
  }

  private repeat(): boolean {
    return this.repeated++ < MAX_REPEATED_CELLS;
  }
}
