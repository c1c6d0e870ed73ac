import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { AREA_ZONES } from './area-zones.js';

/** Where a number is at home, and which time people keep there. */
export interface NumberPlace {
  /** ISO 3166-1 alpha-2; null for numbers of no country, such as those of satellites. */
  readonly country: string | null;
  /** IANA names, at least one. Several where the number does not tell which of them it is. */
  readonly zones: readonly string[];
  /** The zone in which most people of the country live. */
  readonly mainZone: string;
}

/** Zones of countries that the calendar data do not know, and those of areas that {@link AREA_ZONES} does not list. */
const COUNTRY_ZONES: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  BR: 'America/Sao_Paulo',
  MX: 'America/Mexico_City',
  TA: 'Atlantic/St_Helena',
  XK: 'Europe/Belgrade',
};

/** Of countries that are so wide that no hour is a good one in all their zones. */
const MAIN_ZONES: Readonly<Record<string, string>> = { RU: 'Europe/Moscow' };

/** Of numbers of no country, and of countries about which nothing is known. */
const NO_COUNTRY_ZONE = 'UTC';

/** By country. Reading them takes a millisecond, and there are 250 countries at most. */
const CALENDAR_ZONES = new Map<string, readonly string[]>();
const ZONES_BY_AREA: ReadonlyMap<string, readonly string[]> = zonesByArea();
const MAX_AREA_DIGITS = Math.max(...[...ZONES_BY_AREA.keys()].map(({ length }) => length));

/**
 * The place of a number: the zone of its area code where that is known, else all zones of its country.
 *
 * @param phoneNumber E.164
 * @returns null for what has no calling code that is in use
 */
export function placeOf(phoneNumber: string): NumberPlace | null {
  const phone = parsePhoneNumberFromString(phoneNumber);
  if (!phone) return null;
  const country = phone.country ?? phone.getPossibleCountries()[0] ?? null;
  const zones = country === null ? [NO_COUNTRY_ZONE] : zonesIn(country, phone.number);
  const [first = NO_COUNTRY_ZONE] = zones;
  return { country, zones, mainZone: MAIN_ZONES[country ?? ''] ?? first };
}

function zonesIn(country: string, number: string): readonly string[] {
  const ofCountry = calendarZonesOf(country);
  if (ofCountry.length === 1) return ofCountry;
  const ofArea = zonesOfArea(number);
  if (ofArea) return ofArea;
  const known = COUNTRY_ZONES[country];
  if (known !== undefined) return [known];
  return ofCountry.length > 0 ? ofCountry : [NO_COUNTRY_ZONE];
}

function zonesOfArea(number: string): readonly string[] | null {
  for (let length = Math.min(number.length, MAX_AREA_DIGITS); length > 1; length--) {
    const zones = ZONES_BY_AREA.get(number.slice(0, length));
    if (zones) return zones;
  }
  return null;
}

function calendarZonesOf(country: string): readonly string[] {
  const known = CALENDAR_ZONES.get(country);
  if (known) return known;
  const zones = readCalendarZones(country);
  CALENDAR_ZONES.set(country, zones);
  return zones;
}

/** The property of Node 20, and the method that takes its place in later ones. */
function readCalendarZones(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    readonly timeZones?: readonly string[];
    getTimeZones?(): readonly string[] | undefined;
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** By the beginnings of numbers in E.164. */
function zonesByArea(): ReadonlyMap<string, readonly string[]> {
  const zones = new Map<string, string[]>();
  for (const [callingCode, areas] of Object.entries(AREA_ZONES)) {
    for (const [zone, codes] of Object.entries(areas)) {
      for (const code of codes.trim().split(/\s+/)) {
        const beginning = `+${callingCode}${code}`;
        zones.set(beginning, [...(zones.get(beginning) ?? []), zone]);
      }
    }
  }
  return zones;
}
