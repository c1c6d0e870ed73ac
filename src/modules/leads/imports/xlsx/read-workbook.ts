import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readSheet } from 'read-excel-file/node';
import { dateText, numberText } from './cell-text.js';
import { checkWorkbook, WorkbookError } from './workbook-check.js';
import type { WorkbookReply, WorkbookRequest } from './workbook-reply.js';

/** Writes the first sheet of a workbook down as text. A fault of the file is an answer, not an error. */
export async function readWorkbook({ path, output, limits }: WorkbookRequest): Promise<WorkbookReply> {
  try {
    await checkWorkbook(path, limits);
    const rows = await readSheet<string>(path, 1, { parseNumber: numberText });
    if (rows.length > limits.rows) throw new WorkbookError('rows');
    await pipeline(Readable.from(linesOf(rows)), createWriteStream(output));
    return { rows: rows.length };
  } catch (error) {
    // The reader throws errors of every kind on broken files.
    return { failure: error instanceof WorkbookError ? error.failure : 'unreadable' };
  }
}

function* linesOf(rows: readonly (readonly unknown[])[]): Generator<string> {
  for (const [at, row] of rows.entries()) {
    const fields = row.map(textOf);
    const last = fields.findLastIndex((field) => field !== '');
    if (last !== -1) yield `${JSON.stringify([at + 1, fields.slice(0, last + 1)])}\n`;
  }
}

/** Of a text, a number as {@link numberText} writes it, a truth value, a date, or null. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === 'string') return cell.toWellFormed().trim();
  return typeof cell === 'boolean' || typeof cell === 'number' ? String(cell) : '';
}
