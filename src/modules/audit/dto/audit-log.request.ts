import { DateQuery } from '../../../common/http/fields/time-fields.js';
import { IntegerQuery, StringField, UUID } from '../../../common/http/fields.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { isWrittenMoment } from '../../../common/time/written-moment.js';
import { momentsOfDays } from '../../../common/time/zoned-days.js';
import type { LogFilter, LogPosition } from '../audit-log.repository.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export class AuditLogExportQuery {
  @StringField({
    optional: true,
    filled: true,
    max: 100,
    description: 'One operation, by its id in the OpenAPI document, or one command of the operator',
    example: 'deleteLead',
  })
  declare action?: string;

  @DateQuery({ description: 'First day, in UTC', example: '2026-01-31' })
  declare date_from?: string;

  @DateQuery({ description: 'Last day, included, in UTC', example: '2026-01-31' })
  declare date_to?: string;
}

/** The same filters, with pages. */
export class AuditLogQuery extends AuditLogExportQuery {
  @IntegerQuery({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Most rows of an answer' })
  declare limit?: number;

  @StringField({ optional: true, max: 200, description: '`next_cursor` of the page before' })
  declare cursor?: string;
}

export interface LogRequest {
  readonly filter: LogFilter;
  readonly after: LogPosition | null;
  readonly limit: number;
}

/** @throws ValidationFailedError for a cursor that no page has given */
export function logRequestOf({ limit, cursor, ...filter }: AuditLogQuery): LogRequest {
  return {
    filter: logFilterOf(filter),
    after: cursor === undefined || cursor === '' ? null : positionOf(cursor),
    limit: limit ?? DEFAULT_LIMIT,
  };
}

export function logFilterOf({ action, date_from, date_to }: AuditLogExportQuery): LogFilter {
  return { action, ...momentsOfDays(date_from, date_to, 'UTC') };
}

export function cursorOf({ createdAt, id }: LogPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

function positionOf(cursor: string): LogPosition {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (!isWrittenMoment(at) || !UUID.test(id)) throw ValidationFailedError.of('cursor', 'validation.format');
  return { createdAt: new Date(at), id };
}
