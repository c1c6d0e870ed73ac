import { DateTime } from 'luxon';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { placeOf } from '../../common/phone/zones/number-zones.js';

/** Local hours, from the first to before the last. */
type Hours = readonly [from: number, to: number];

/** ISO days of the week, Monday is 1; a day that is missing is a day of rest. */
type Week = Readonly<Partial<Record<number, Hours>>>;

const weekdays = (hours: Hours): Week => ({ 1: hours, 2: hours, 3: hours, 4: hours, 5: hours });

/**
 * Brazil: Monday to Friday 9 to 18. That is inside of what the Anatel-backed rules (9 to 21) and the laws of Rio and
 * Ceará (8 to 18) allow. The United States: the TCPA allows 8 to 21. Florida, Oklahoma and Maryland cut that to 20,
 * and Texas to the noon of Sundays. They apply to all, because a number does not show the state a person is in.
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
 * Whether a number may be called now by the usual hours of its country. The time is that of its area code. Where that
 * is not known, the hour must suit all zones of the country. A country so wide that less than {@link
 * MIN_COMMON_HOURS} are left uses the zone in which most of its people live. A number of no country uses UTC. What is
 * no number is never called.
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
