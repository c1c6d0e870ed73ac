import type { FieldIssue } from '../../../common/errors/domain-error.js';
import { toE164 } from '../../../common/phone/e164.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import { LeadColumns } from './csv/lead-columns.js';
import type { TableFile, TableRecord } from './file/table-record.js';

const MAX_QUOTED = 200;

/** What the sender of a file says of its columns. */
export interface HeaderOptions {
  /** Whether the first row holds the names of the columns; undefined: it does unless it looks like a lead. */
  readonly header?: boolean;
  /** Names of the columns in place of those in the file. */
  readonly names: readonly string[] | null;
  /** Two-letter code for numbers without a country code. */
  readonly country: string;
}

export interface LeadHeader {
  readonly columns: LeadColumns;
  /** The first row, where it is a lead. */
  readonly firstRow: TableRecord | null;
}

/** The columns of a file; or what is wrong with its first row. */
export function headerOf(
  file: TableFile,
  { header, names, country }: HeaderOptions,
): LeadHeader | FieldIssue {
  const { first, firstText } = file;
  if (header === false && names === null) return issue('leads.import_needs_columns');
  if (header === undefined && isLead(first, country)) {
    return issue('leads.import_first_row', { row: quoted(firstText) });
  }
  const found = first !== null && 'fields' in first ? first.fields : null;
  const columns = LeadColumns.of(names ?? found, country);
  if (!(columns instanceof LeadColumns)) return columns;
  return { columns, firstRow: header === false ? first : null };
}

/** Whether a row has a phone number in it, and so is none of names. */
export function isLead(row: TableRecord | null, country: string): boolean {
  return row !== null && 'fields' in row && row.fields.some((field) => toE164(field, country) !== null);
}

function quoted(row: string): string {
  const line = row.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}

function issue(key: TextKey, params: Record<string, string | number> = {}): FieldIssue {
  return { field: 'file', text: text(key, { field: 'file', ...params }) };
}
