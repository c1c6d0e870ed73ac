import { Injectable } from '@nestjs/common';
import { BoundedExports } from '../../../common/csv/bounded-exports.js';
import type { CsvExport } from '../../../common/csv/csv-export.js';
import type { LogFilter, LogPosition } from '../audit-log.repository.js';
import { AuditLogService } from '../audit-log.service.js';
import { cellsOf, EXPORT_COLUMNS } from './audit-log-columns.js';

/** The audit log as a file. */
@Injectable()
export class AuditLogExportsService {
  private readonly exports = new BoundedExports();

  constructor(private readonly log: AuditLogService) {}

  /**
   * Of all that the list shows with the same filter, newest first. Times are in UTC, as the list has them.
   *
   * @throws ExportTooLargeError | TooManyExportsError
   */
  async begin(userId: number, filter: LogFilter): Promise<CsvExport> {
    return this.exports.begin(userId, {
      fileName: 'audit-log',
      header: EXPORT_COLUMNS,
      rows: await this.log.count(userId, filter),
      read: async (after: LogPosition | null, limit) => {
        const { entries, names } = await this.log.list(userId, filter, after, limit);
        return entries.map((entry) => ({ entry, names }));
      },
      placeOf: ({ entry: { createdAt, id } }) => ({ createdAt, id }),
      toCells: ({ entry, names }) => cellsOf(entry, names),
    });
  }
}
