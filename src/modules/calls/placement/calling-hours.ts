import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { DateTime } from 'luxon';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';

/** Local hours, from the first to before the last. */
type Hours = readonly [from: number, to: number];

/** ISO days of the week, Monday is 1; a day that is missing is a day of rest. */
type Week = Readonly<Partial<Record<number, Hours>>>;

const weekdays = (hours: Hours): Week => ({ 1: hours, 2: hours, 3: hours, 4: hours, 5: hours });

/**
 * Brazil: Monday to Friday 9 to 18, inside of what the Anatel-backed rules (9 to 21) and the laws of Rio and Ceará (8 to 18)
 * allow. The United States: 8 to 21 by the TCPA, cut to the 20 of Florida, Oklahoma and Maryland and, on Sundays, to the
 * noon of Texas, because a number does not tell the state somebody is in.
 */
const WEEKS: Readonly<Record<string, Week>> = {
  BR: weekdays([9, 18]),
  US: { ...weekdays([8, 20]), 6: [8, 20], 7: [12, 20] },
};

/** Where nothing is known, office hours offend nobody. */
const ELSEWHERE: Week = weekdays([9, 18]);

/** Brazilian area codes belong to states, and so to time zones; all others keep the time of Brasília. */
const BRAZILIAN_ZONES: Readonly<Record<string, string>> = {
  65: 'America/Cuiaba',
  66: 'America/Cuiaba',
  67: 'America/Campo_Grande',
  68: 'America/Rio_Branco',
  69: 'America/Porto_Velho',
  92: 'America/Manaus',
  95: 'America/Boa_Vista',
  97: 'America/Manaus',
};

/**
 * Whether a number may be called now by the hours usual in its country. Outside Brazil a number tells its country and not
 * its time zone, so it must be a good time in all zones of the country. A number of no country is never called.
 *
 * @param phoneNumber E.164
 */
export function isCallingHour(phoneNumber: string, now: Date): boolean {
  const country = parsePhoneNumberFromString(phoneNumber)?.country;
  if (country === undefined) return false;
  const week = WEEKS[country] ?? ELSEWHERE;
  const zones = country === 'BR' ? [brazilianZoneOf(phoneNumber)] : zonesOf(country);
  return zones.length > 0 && zones.every((zone) => isWithin(week, DateTime.fromJSDate(now, { zone })));
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

function brazilianZoneOf(phoneNumber: string): string {
  return BRAZILIAN_ZONES[phoneNumber.slice(3, 5)] ?? 'America/Sao_Paulo';
}

/** The property of Node 20, and the method that takes its place in later ones. */
function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    readonly timeZones?: readonly string[];
    getTimeZones?(): readonly string[] | undefined;
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}
