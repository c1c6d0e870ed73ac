/** A line of text, or a row of a table. */
export interface Line {
  readonly text: string;
  /** Of its largest letters. */
  readonly height: number;
  readonly y: number;
  /** Distance from the line above, null for the first of a page or column. */
  readonly gap: number | null;
  /** Rows of tables are not joined with their neighbours. */
  readonly isRow: boolean;
}

export type UnspacedLine = Omit<Line, 'gap'>;
