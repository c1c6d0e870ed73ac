import { DateTime } from 'luxon';
import { type Weekday, WEEKDAYS } from '../../../common/time/weekdays.js';

/** Hours of a week, on the clock of their time zone. */
export interface WeeklyHours {
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly from: string;
  /** `HH:MM` up to `24:00`, exclusive. One before `from` is of the next day. */
  readonly to: string;
}

/** When a number is open. */
export interface RoutingHours {
  /** IANA name. */
  readonly timezone: string;
  readonly weekly: readonly WeeklyHours[];
  /** `YYYY-MM-DD`, on the calendar of the time zone. */
  readonly closed_dates: readonly string[];
}

/** Why a number is closed. */
export type ClosedReason = 'hours' | 'closed_date';

/** A day on the calendar of the time zone. */
interface LocalDay {
  readonly date: string;
  readonly weekday: Weekday;
}

/**
 * Why a number is closed at a moment; null while it is open. Hours that run into the next day belong to the day on which
 * they begin: a closed date cancels them to their end. It closes its own day as well, until midnight.
 *
 * The clock of the zone decides. An hour that the change to summer time skips does not exist, and one that comes twice in
 * autumn counts twice.
 */
export function closedReason(hours: RoutingHours, at: Date): ClosedReason | null {
  const local = DateTime.fromJSDate(at, { zone: hours.timezone });
  const minute = local.hour * 60 + local.minute;
  const [today, yesterday] = [dayOf(local), dayOf(local.minus({ days: 1 }))];
  const isClosed = (day: LocalDay) => hours.closed_dates.includes(day.date);
  if (isClosed(today)) return 'closed_date';
  if (hours.weekly.some((entry) => beginsOn(entry, today, minute))) return null;
  if (!hours.weekly.some((entry) => runsOnFrom(entry, yesterday, minute))) return 'hours';
  return isClosed(yesterday) ? 'closed_date' : null;
}

function dayOf(local: DateTime): LocalDay {
  const weekday = WEEKDAYS[local.weekday - 1];
  const date = local.toISODate();
  if (weekday === undefined || date === null) throw new Error(`no such time zone: ${local.zoneName}`);
  return { date, weekday };
}

/** Whether the minute is in hours that begin on its own day. */
function beginsOn({ days, from, to }: WeeklyHours, { weekday }: LocalDay, minute: number): boolean {
  const [first, end] = [minuteOf(from), minuteOf(to)];
  return days.includes(weekday) && minute >= first && (end < first || minute < end);
}

/** Whether the minute is in hours that have begun on the day before, and run into this one. */
function runsOnFrom({ days, from, to }: WeeklyHours, { weekday }: LocalDay, minute: number): boolean {
  const end = minuteOf(to);
  return days.includes(weekday) && end < minuteOf(from) && minute < end;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
