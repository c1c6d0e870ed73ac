import { Injectable } from '@nestjs/common';
import { BoundedExports } from '../../../common/csv/bounded-exports.js';
import type { CsvCell } from '../../../common/csv/csv-cell.js';
import type { CsvExport } from '../../../common/csv/csv-export.js';
import { toPlainTimestamp } from '../../../common/time/zoned-days.js';
import { dollarsOf } from '../../billing/money.js';
import { CallListRepository, type ExportedCall } from './call-list.repository.js';
import { CallListService } from './call-list.service.js';
import type { CallFilter } from './call-list.statements.js';

/** Columns by the names that the API gives its fields. */
const COLUMNS: Readonly<Record<string, (call: ExportedCall, zone: string) => CsvCell>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }, zone) => toPlainTimestamp(createdAt, zone),
  type: ({ type }) => type,
  status: ({ status }) => status,
  answered_by: ({ answeredBy }) => answeredBy,
  duration: ({ durationSeconds }) => durationSeconds,
  assistant_name: ({ assistantName }) => assistantName,
  assistant_phone_number: ({ assistantPhoneNumber }) => assistantPhoneNumber,
  client_phone_number: ({ clientPhoneNumber }) => clientPhoneNumber,
  campaign_name: ({ campaignName }) => campaignName,
  carrier_cost: ({ carrierCostMicros }) => dollarsOf(carrierCostMicros),
  total_cost: ({ carrierCostMicros, aiCostMicros }) => dollarsOf(carrierCostMicros + aiCostMicros),
  transcript: ({ transcript }) => transcript,
  variables: ({ variables }) => JSON.stringify(variables),
  evaluation: ({ evaluation }) => JSON.stringify(evaluation),
  input_tokens: ({ inputTokens }) => inputTokens,
  cached_input_tokens: ({ cachedInputTokens }) => cachedInputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  routing_branch: ({ routing }) => routing?.branch ?? null,
  routing_action: ({ routing }) => routing?.action ?? null,
  routing_reason: ({ routing }) => routing?.reason ?? null,
};

/** The list of calls as a file. */
@Injectable()
export class CallExportsService {
  private readonly exports = new BoundedExports();

  constructor(
    private readonly list: CallListService,
    private readonly lists: CallListRepository,
  ) {}

  /**
   * Of all that the list shows with the same filter, newest first.
   *
   * @param zone in which times are written
   * @throws ExportTooLargeError | TooManyExportsError
   */
  async begin(userId: number, given: CallFilter, zone: string): Promise<CsvExport> {
    const filter = await this.list.storedFilter(userId, given);
    const { total } = await this.lists.page(userId, filter, { page: 1, perPage: 10 });
    return this.exports.begin(userId, {
      fileName: 'calls',
      header: Object.keys(COLUMNS),
      rows: total,
      read: (after, limit) => this.lists.after(userId, filter, after, limit),
      placeOf: ({ place, id }) => ({ createdAt: place, id }),
      toCells: (call) => Object.values(COLUMNS).map((cellOf) => cellOf(call, zone)),
    });
  }
}
