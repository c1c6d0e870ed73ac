import { DateTime, IANAZone } from 'luxon';

const MINUTE_MS = 60_000;
/** Days that a filter can name; beyond them nothing is stored. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** Moments from the first one on and before the other; an end that is left out is open. */
export interface MomentRange {
  readonly from?: Date;
  readonly before?: Date;
}

/**
 * The moments of the days from one to another, both included, on the calendar of a time zone.
 *
 * @param from `YYYY-MM-DD`
 * @param to `YYYY-MM-DD`
 * @param zone IANA name
 */
export function momentsOfDays(from: string | undefined, to: string | undefined, zone: string): MomentRange {
  const start = (day: string, later: number) =>
    DateTime.fromISO(day, { zone }).plus({ days: later }).startOf('day').toJSDate();
  return {
    ...(from === undefined || from <= FIRST_DAY ? {} : { from: start(from, 0) }),
    ...(to === undefined || to >= LAST_DAY ? {} : { before: start(to, 1) }),
  };
}

/** A moment as the clock of a time zone shows it, `YYYY-MM-DD HH:MM:SS`. */
export function toPlainTimestamp(moment: Date, zone: string): string {
  const offsetMs = IANAZone.create(zone).offset(moment.getTime()) * MINUTE_MS;
  return new Date(moment.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}
