import { DateTime, IANAZone } from 'luxon';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Days of zones whose offsets are remembered: ten busy zones, three years. */
const MAX_KNOWN_DAYS = 10_000;
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
  const local = new Date(moment.getTime() + offsetAt(moment.getTime(), zone) * MINUTE_MS);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/** By zone and day of UTC: the offset in minutes, null where it changes within the day. */
const offsets = new LRUCache<string, { readonly minutes: number | null }>({ max: MAX_KNOWN_DAYS });

/** A list shows many moments of few days, and the runtime takes longer for an offset than for the rest of a row. */
function offsetAt(epochMs: number, zone: string): number {
  const day = Math.floor(epochMs / DAY_MS);
  const key = `${zone} ${day}`;
  let known = offsets.get(key);
  if (!known) {
    const [first, last] = [offsetOf(day * DAY_MS, zone), offsetOf((day + 1) * DAY_MS - 1, zone)];
    // No clock is changed twice within a day.
    known = { minutes: first === last ? first : null };
    offsets.set(key, known);
  }
  return known.minutes ?? offsetOf(epochMs, zone);
}

function offsetOf(epochMs: number, zone: string): number {
  return IANAZone.create(zone).offset(epochMs);
}
