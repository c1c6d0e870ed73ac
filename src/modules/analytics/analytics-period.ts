import { DateTime } from 'luxon';
import { ValidationFailedError } from '../../common/errors/errors.js';

const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;

/** The days that figures are of, in a time zone. */
export interface AnalyticsPeriod {
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** The beginning of each day. */
  readonly days: readonly DateTime<true>[];
  /** Where the first day begins. */
  readonly start: Date;
  /** Where the last day ends. */
  readonly before: Date;
}

/**
 * Without a last day it ends today; without a first one it has 30 days.
 *
 * @throws ValidationFailedError for days in the wrong order, or too many of them
 */
export function periodOf(from: string | undefined, to: string | undefined, zone: string): AnalyticsPeriod {
  const startOf = (day: string) => DateTime.fromISO(day, { zone }).startOf('day') as DateTime<true>;
  const last =
    to === undefined ? (DateTime.now().setZone(zone).startOf('day') as DateTime<true>) : startOf(to);
  const first = from === undefined ? last.minus({ days: DEFAULT_DAYS - 1 }) : startOf(from);
  if (first > last) throw ValidationFailedError.of('from', 'analytics.order');
  const count = Math.round(last.diff(first, 'days').days) + 1;
  if (count > MAX_DAYS) throw ValidationFailedError.of('from', 'analytics.range', { max: MAX_DAYS });
  return {
    from: first.toISODate(),
    to: last.toISODate(),
    days: Array.from({ length: count }, (_, index) => first.plus({ days: index }).startOf('day')),
    start: first.toJSDate(),
    before: last.plus({ days: 1 }).startOf('day').toJSDate(),
  };
}
