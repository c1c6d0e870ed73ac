import { storableText } from '../../../common/text/storable-text.js';
import { TimeSlice } from '../../../common/time/time-slice.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { TextRef } from '../../../i18n/text.js';
import { type LeadDetails, numbersOf } from '../lead-details.js';
import type { LeadColumns } from './csv/lead-columns.js';
import type { TableFile, TableRecord } from './file/table-record.js';
import type { LeadHeader } from './lead-header.js';
import type { RefusedRow } from './refusals/lead-refusals.repository.js';

/** How long rows may be read before other requests get a turn; each of them needs several. */
const SLICE_MS = 0.25;

/** A row on its way in, as it was in the file: a lead, or why it is none. */
export type ImportRow = { readonly line: number; readonly fields: readonly string[] } & (
  { readonly lead: LeadDetails } | { readonly reason: TextRef<TextKey> }
);

/** What becomes of some rows. */
export interface SortedRows {
  readonly leads: readonly LeadDetails[];
  readonly refused: readonly RefusedRow[];
}

/** The rows of a file, without those that have nothing in them. */
export async function* rowsOf(file: TableFile, { columns, firstRow }: LeadHeader): AsyncGenerator<ImportRow> {
  const slice = new TimeSlice(SLICE_MS);
  const first = firstRow && toRow(firstRow, columns);
  if (first) yield first;
  for await (const records of file.records()) {
    for (const record of records) {
      const row = toRow(record, columns);
      if (row) yield row;
    }
    if (slice.isOver()) await slice.rest();
  }
}

function toRow(record: TableRecord, columns: LeadColumns): ImportRow | null {
  const { line } = record;
  if ('refused' in record) {
    const reason = text(record.refused === 'quotes' ? 'leads.row_quotes' : 'leads.row_too_long');
    return { line, fields: [record.text], reason };
  }
  const { fields } = record;
  const row = columns.read(fields);
  if (!row) return null;
  return 'lead' in row ? { line, fields, lead: row.lead } : { line, fields, reason: row.refused };
}

/**
 * Tells leads that may come in from rows that may not.
 *
 * @param taken numbers that the campaign has; null where duplicates are allowed
 */
export function sortRows(
  rows: readonly ImportRow[],
  taken: Set<string> | null,
  columns: LeadColumns,
): SortedRows {
  const leads: LeadDetails[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    const reason = 'lead' in row ? duplicateIn(row.lead, taken) : row.reason;
    if (reason) refused.push(toRefused(row, reason, columns));
    else if ('lead' in row) leads.push(row.lead);
  }
  return { leads, refused };
}

function toRefused({ line, fields }: ImportRow, reason: TextRef<TextKey>, columns: LeadColumns): RefusedRow {
  const storable = fields.map(storableText);
  return { line, reason, fields: storable, phoneNumbers: columns.numbersIn(storable) };
}

/** Why the lead's numbers are not new; if they are, they are taken from here on. */
function duplicateIn(lead: LeadDetails, taken: Set<string> | null): TextRef<TextKey> | null {
  if (taken === null) return null;
  const own = new Set<string>();
  for (const phone of numbersOf(lead)) {
    if (taken.has(phone) || own.has(phone)) return text('leads.row_duplicate', { phone });
    own.add(phone);
  }
  for (const phone of own) taken.add(phone);
  return null;
}
