import { csvLine } from '../../common/csv/csv-export.js';
import type { AuditLogEntry } from '../../modules/audit/audit-log-entry.entity.js';
import type {
  AuditLogRepository,
  LogFilter,
  LogPosition,
  LogScope,
} from '../../modules/audit/audit-log.repository.js';
import { toEntryResponse } from '../../modules/audit/dto/audit-log.response.js';

export const FORMATS = ['csv', 'json'] as const;
export type LogFormat = (typeof FORMATS)[number];

const PAGE = 500;
/** So that spreadsheets read it as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
/** By the names that the API gives its fields, and the account. */
const COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'action',
  'status',
  'via',
  'token_id',
  'member_id',
  'network',
  'reason',
  'resource_id',
] as const;

/** The entries, newest first and page by page: as lines of CSV with a header, or as a JSON object a line. */
export async function* writtenEntries(
  log: Pick<AuditLogRepository, 'page'>,
  scope: LogScope,
  filter: LogFilter,
  format: LogFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  let after: LogPosition | null = null;
  do {
    const page: AuditLogEntry[] = await log.page(scope, filter, after, PAGE);
    for (const entry of page) yield lineOf(entry, format);
    after = page.length < PAGE ? null : (page.at(-1) ?? null);
  } while (after !== null);
}

function lineOf(entry: AuditLogEntry, format: LogFormat): string {
  const response = toEntryResponse(entry, new Map());
  const cells = COLUMNS.map((column) => (column === 'account_id' ? entry.userId : response[column]));
  if (format === 'csv') return csvLine(cells);
  return `${JSON.stringify(Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at]])))}\n`;
}
