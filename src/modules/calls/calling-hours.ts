import { DateTime } from 'luxon';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { placeOf } from './zones/number-zones.js';

/** Local hours, from the first to before the last. */
type Hours = readonly [from: number, to: number];

/** ISO days of the week, Monday is 1; a day that is missing is a day of rest. */
type Week = Readonly<Partial<Record<number, Hours>>>;

const weekdays = (hours: Hours): Week => ({ 1: hours, 2: hours, 3: hours, 4: hours, 5: hours });

/**
 * Brazil: Monday to Friday 9 to 18, inside of what the Anatel-backed rules (9 to 21) and the laws of Rio and Ceará (8 to 18)
 * allow. The United States: 8 to 21 by the TCPA, cut to the 20 of Florida, Oklahoma and Maryland and, on Sundays, to the
 * noon of Texas, because a number does not tell the state a person is in.
 */
const WEEKS: Readonly<Record<string, Week>> = {
  BR: weekdays([9, 18]),
  US: { ...weekdays([8, 20]), 6: [8, 20], 7: [12, 20] },
};

/** Office hours, where no rule is known. */
const ELSEWHERE: Week = weekdays([9, 18]);

/** So much of an office day is left where a number has to be called at a good time in several zones. */
const MIN_COMMON_HOURS = 4;

/**
 * Whether a number may be called now by the hours usual in its country: by the time of its area code, or where that is not
 * known at a good time in all zones of the country. A country so wide that less than {@link MIN_COMMON_HOURS} are left is
 * called by the time of the zone in which most of its people live, and a number of no country by UTC. What is no number is
 * never called.
 *
 * @param phoneNumber E.164
 */
export function isCallingHour(phoneNumber: string, now: Date): boolean {
  const place = placeOf(phoneNumber);
  if (!place) return false;
  const week = WEEKS[place.country ?? ''] ?? ELSEWHERE;
  const local = (zone: string) => DateTime.fromJSDate(now, { zone });
  const times = place.zones.map(local);
  if (commonHoursOf(week, times) < MIN_COMMON_HOURS) return isWithin(week, local(place.mainZone));
  return times.every((time) => isWithin(week, time));
}

/**
 * Whether a carrier calls at such hours only.
 *
 * @param setting see CallsConfig
 */
export function keepsHours(
  setting: 'auto' | 'on' | 'off',
  { capabilities }: Pick<CallCarrier, 'capabilities'>,
): boolean {
  return setting === 'on' || (setting === 'auto' && capabilities.reachesPeople);
}

function isWithin(week: Week, local: DateTime): boolean {
  const hours = week[local.weekday];
  return local.isValid && hours !== undefined && local.hour >= hours[0] && local.hour < hours[1];
}

/** How many hours of a working day are working hours in all of the zones. */
function commonHoursOf(week: Week, times: readonly DateTime[]): number {
  const offsets = times.map(({ offset }) => offset);
  const [from, to] = week[1] ?? [0, 0];
  return to - from - (Math.max(...offsets) - Math.min(...offsets)) / 60;
}
