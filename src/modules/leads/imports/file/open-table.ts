import { CsvFile } from '../csv/csv-file.js';
import { LeadWorkbookError, OldWorkbookError } from '../../leads.errors.js';
import { WorkbookError } from '../xlsx/workbook-check.js';
import { WORKBOOK_LIMITS } from '../xlsx/workbook-limits.js';
import { XlsxFile } from '../xlsx/xlsx-file.js';
import { isPhoneColumn } from './column-names.js';
import type { TableFile } from './table-record.js';
import { withHead } from './with-head.js';

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
/** The container of workbooks before 2007, and of those with a password. */
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/**
 * Opens a table by its first bytes; its name and what its sender says of it count for nothing.
 *
 * @throws LeadWorkbookError | OldWorkbookError
 */
export async function openTable(chunks: AsyncGenerator<Uint8Array>): Promise<TableFile> {
  const { head, whole } = await withHead(chunks, ZIP.length);
  if (head.equals(COMPOUND)) throw new OldWorkbookError();
  if (!head.equals(ZIP)) return CsvFile.open(whole, isPhoneColumn);
  try {
    return await XlsxFile.open(whole);
  } catch (error) {
    throw error instanceof WorkbookError
      ? new LeadWorkbookError(error.failure, WORKBOOK_LIMITS, error)
      : error;
  }
}
