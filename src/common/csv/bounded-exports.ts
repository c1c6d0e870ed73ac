import { ConcurrentUse } from '../limits/concurrent-use.js';
import type { CsvCell } from './csv-cell.js';
import type { CsvExport } from './csv-export.js';
import { ExportTooLargeError, TooManyExportsError } from './csv-export.errors.js';

/** Of one account at once, in one process. */
const MAX_AT_ONCE = 2;
const MAX_ROWS = 100_000;
/** Rows read at once. */
const BATCH_ROWS = 250;

/** Where the next batch begins. */
export interface ExportPlace {
  /** `created_at` of the last row, as the database writes it: a date of JavaScript would lose its microseconds. */
  readonly createdAt: string;
  readonly id: number;
}

export interface ExportedTable<Row, Place = ExportPlace> {
  readonly fileName: string;
  readonly header: readonly string[];
  /** How many rows there are about to be. */
  readonly rows: number;
  /** The next rows, newest first; fewer than asked for are the last ones. */
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => Place;
  readonly toCells: (row: Row) => readonly CsvCell[];
}

/** Exports of tables, so many rows and so many at once. */
export class BoundedExports {
  private readonly running = new ConcurrentUse();

  /** @throws ExportTooLargeError | TooManyExportsError */
  begin<Row, Place = ExportPlace>(userId: number, table: ExportedTable<Row, Place>): CsvExport {
    const { fileName, header, rows } = table;
    // Never a part of what was asked for, as if it were all.
    if (rows > MAX_ROWS) throw new ExportTooLargeError(rows, MAX_ROWS);
    const leave = this.running.tryEnter(new Map([[String(userId), MAX_AT_ONCE]]));
    if (!leave) throw new TooManyExportsError(MAX_AT_ONCE);
    return { fileName, header, batches: batchesOf(table), onClose: leave };
  }
}

async function* batchesOf<Row, Place>({
  read,
  placeOf,
  toCells,
}: ExportedTable<Row, Place>): CsvExport['batches'] {
  let after: Place | null = null;
  for (;;) {
    const rows: readonly Row[] = await read(after, BATCH_ROWS);
    yield eachOf(rows, toCells);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = placeOf(last);
  }
}

/** A row of large variables takes its time to be made; the caller makes pauses. */
function* eachOf<Row, Made>(rows: readonly Row[], make: (row: Row) => Made): Generator<Made, void> {
  for (const row of rows) yield make(row);
}
