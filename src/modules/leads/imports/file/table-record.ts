/** A row of a table with the line it begins on, from 1; or why it could not be read. */
export type TableRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  | { readonly line: number; readonly refused: 'quotes' | 'too-long'; readonly text: string };

/** A table that is read as it arrives: the first row, then the others. */
export interface TableFile {
  /** Null for a file without a row. */
  readonly first: TableRecord | null;
  /** The first row as the file has it, to be quoted. */
  readonly firstText: string;
  records(): AsyncGenerator<readonly TableRecord[]>;
  /** Removes what was put aside for reading. */
  close(): Promise<void>;
}
