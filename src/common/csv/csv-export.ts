import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { csvCell, type CsvCell } from './csv-cell.js';

const CONTENT_TYPE = 'text/csv';
/** So that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
/** How long rows may be written before other work has its turn. */
const TURN_MS = 5;
/** Characters that are sent at once. */
const MAX_CHUNK = 65_536;

/**
 * One line of a CSV file (RFC 4180), every cell in quotes. An apostrophe keeps spreadsheets from running a cell as a
 * formula, also where they split cells at other signs than commas. Plain numbers and phone numbers need none. Cells
 * that are longer than a spreadsheet accepts are cut, and say so.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A table that is written while it is read, batch by batch. */
export interface CsvExport {
  /** Without extension. */
  readonly fileName: string;
  readonly header: readonly string[];
  /** Rows are made one by one, as they are written. */
  readonly batches: AsyncGenerator<Iterable<readonly CsvCell[]>, void>;
  /** Called once, when all is sent or the reader is gone. */
  readonly onClose: () => void;
}

/** Documents an answer of {@link csvReply}. */
export function ApiCsv(): MethodDecorator {
  const schema = { type: 'string' } as const;
  return applyDecorators(
    ApiResponse({
      status: 200,
      description:
        'A CSV file in UTF-8, with a header; cells that spreadsheets would run begin with an apostrophe, and cells of more ' +
        'than 32,767 characters are cut and say so',
      content: { [CONTENT_TYPE]: { schema } },
    }),
  );
}

/** Answers with a CSV file. A reader that is slow makes the batches wait; one that is gone ends them. */
export function csvReply({ fileName, header, batches, onClose }: CsvExport): StreamableFile {
  const stream = Readable.from(chunksOf(header, batches), { objectMode: false });
  stream.once('close', onClose);
  return new StreamableFile(stream, {
    type: `${CONTENT_TYPE}; charset=utf-8`,
    disposition: `attachment; filename="${fileName}.csv"`,
  });
}

async function* chunksOf(header: CsvExport['header'], batches: CsvExport['batches']): AsyncGenerator<string> {
  let lines = BYTE_ORDER_MARK + csvLine(header);
  let startedAt = performance.now();
  for await (const rows of batches) {
    for (const row of rows) {
      lines += csvLine(row);
      if (performance.now() - startedAt < TURN_MS && lines.length < MAX_CHUNK) continue;
      yield lines;
      lines = '';
      // A stream that is read asks for the next line at once, before all other work of the process.
      await nextTurn();
      startedAt = performance.now();
    }
    if (lines !== '') yield lines;
    lines = '';
    startedAt = performance.now();
  }
  if (lines !== '') yield lines;
}
