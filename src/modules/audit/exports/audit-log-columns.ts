import type { CsvCell } from '../../../common/csv/csv-cell.js';
import type { AuditLogEntry } from '../audit-log-entry.entity.js';
import { type AuditLogEntryResponse, toEntryResponse } from '../dto/audit-log.response.js';

/** By the names that the API gives its fields. */
export const EXPORT_COLUMNS: readonly (keyof AuditLogEntryResponse)[] = [
  'id',
  'created_at',
  'action',
  'status',
  'via',
  'token_id',
  'member_id',
  'member_name',
  'network',
  'reason',
  'resource_id',
];

/** @param names of members, by id */
export function cellsOf(entry: AuditLogEntry, names: ReadonlyMap<number, string>): CsvCell[] {
  const response = toEntryResponse(entry, names);
  return EXPORT_COLUMNS.map((column) => response[column]);
}
