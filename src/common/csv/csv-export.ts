import { Readable } from 'node:stream';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

export type CsvCell = string | number | boolean | null;

const CONTENT_TYPE = 'text/csv';
/** So that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const NUMBER = /^[+-]?\d+([.,]\d+)?$/;
/** What a spreadsheet takes for a formula, at the start of a cell or of what it may split off as one. */
const FORMULA = /(^|[;\t\r\n])([ \t\r\n]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * One line of a CSV file (RFC 4180), every cell in quotes. An apostrophe keeps spreadsheets from running a cell as a
 * formula, also where they divide cells by other signs than commas; plain numbers and phone numbers need none.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: CsvCell): string {
  const text = cell === null ? '' : String(cell);
  const safe = NUMBER.test(text) ? text : text.replace(FORMULA, "$1$2'");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A table that is written while it is read, batch by batch. */
export interface CsvExport {
  /** Without extension. */
  readonly fileName: string;
  readonly header: readonly string[];
  readonly batches: AsyncGenerator<readonly (readonly CsvCell[])[], void>;
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
        'A CSV file in UTF-8, with a header; cells that spreadsheets would run begin with an apostrophe',
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
  yield BYTE_ORDER_MARK + csvLine(header);
  for await (const rows of batches) {
    const lines = rows.map(csvLine).join('');
    if (lines !== '') yield lines;
  }
}
