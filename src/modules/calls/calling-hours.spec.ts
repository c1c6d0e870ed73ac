import { describe, expect, it } from '@jest/globals';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { isCallingHour } from './calling-hours.js';
import { AREA_ZONES } from '../../common/phone/zones/area-zones.js';
import { placeOf } from '../../common/phone/zones/number-zones.js';

const SAO_PAULO = '+5511987654321';
const ACRE = '+5568987654321';
const NEW_YORK = '+12125550123';
const BERLIN = '+4930901820';

describe('calling hours', () => {
  it.each([
    ['Brazil at 09:00 on a Monday', SAO_PAULO, '2026-11-16T09:00:00-03:00', true],
    ['Brazil at 08:59', SAO_PAULO, '2026-11-16T08:59:59-03:00', false],
    ['Brazil at 17:59', SAO_PAULO, '2026-11-16T17:59:59-03:00', true],
    ['Brazil at 18:00', SAO_PAULO, '2026-11-16T18:00:00-03:00', false],
    ['Brazil on a Saturday', SAO_PAULO, '2026-11-21T12:00:00-03:00', false],
    ['Acre when it is 09:00 in São Paulo and 07:00 there', ACRE, '2026-11-16T09:00:00-03:00', false],
    ['Acre at its own 17:59', ACRE, '2026-11-16T17:59:00-05:00', true],
    ['the USA at 08:00 in New York, still night in Honolulu', NEW_YORK, '2026-11-16T08:00:00-05:00', true],
    ['the USA at 07:59 in New York', NEW_YORK, '2026-11-16T07:59:59-05:00', false],
    ['the USA at 20:00 in New York', NEW_YORK, '2026-11-16T20:00:00-05:00', false],
    ['Hawaii when it is 13:00 in New York', '+18085550123', '2026-11-16T12:59:59-05:00', false],
    ['Hawaii at its own 08:00', '+18085550123', '2026-11-16T08:00:00-10:00', true],
    ['Arizona in summer, an hour behind Denver', '+16025550123', '2026-07-13T08:30:00-06:00', false],
    ['Idaho at 08:30 in Boise, 07:30 in its north', '+12085550123', '2026-11-16T08:30:00-07:00', false],
    ['Idaho at 08:00 in its north', '+12085550123', '2026-11-16T08:00:00-08:00', true],
    [
      'a freephone number of the USA at 08:30 in New York',
      '+18005550123',
      '2026-11-16T08:30:00-05:00',
      false,
    ],
    [
      'a freephone number of the USA at 14:00 in New York, 09:00 in Honolulu',
      '+18005550123',
      '2026-11-16T14:00:00-05:00',
      true,
    ],
    ['the USA on a Saturday at 08:00 in New York', NEW_YORK, '2026-11-21T08:00:00-05:00', true],
    ['the USA on a Sunday at 11:59 in New York', NEW_YORK, '2026-11-22T11:59:59-05:00', false],
    ['the USA on a Sunday at 12:00 in New York', NEW_YORK, '2026-11-22T12:00:00-05:00', true],
    ['the USA on a Sunday at 20:00 in New York', NEW_YORK, '2026-11-22T20:00:00-05:00', false],
    ['Vancouver at 09:00 in Toronto', '+16045550123', '2026-11-16T09:00:00-05:00', false],
    ['Vancouver at its own 17:59', '+16045550123', '2026-11-16T17:59:59-08:00', true],
    ['Germany before the clocks change, 09:00 there', BERLIN, '2026-10-23T07:00:00Z', true],
    ['Germany after the clocks changed, 08:00 there', BERLIN, '2026-10-26T07:00:00Z', false],
    ['Germany on a Saturday', BERLIN, '2026-11-21T12:00:00+01:00', false],
    ['Moscow at 15:36', '+74957654321', '2026-11-26T15:36:00+03:00', true],
    ['Moscow at 08:59', '+74957654321', '2026-11-26T08:59:59+03:00', false],
    ['Vladivostok at its own 09:00', '+74232654321', '2026-11-26T09:00:00+10:00', true],
    ['Vladivostok at 10:00 in Moscow', '+74232654321', '2026-11-26T11:00:00+03:00', false],
    ['a Russian mobile number at 17:59 in Moscow', '+79039876543', '2026-11-26T17:59:59+03:00', true],
    ['a Russian mobile number at 08:59 in Moscow', '+79039876543', '2026-11-26T08:59:59+03:00', false],
    ['Kazakhstan at its own 10:00', '+77273123456', '2026-11-26T10:00:00+05:00', true],
    ['Tijuana at 09:00 in Mexico City', '+526641234567', '2026-11-16T09:00:00-06:00', false],
    ['Tijuana at its own 09:00', '+526641234567', '2026-11-16T09:00:00-08:00', true],
    ['Cancún at its own 09:00', '+529981234567', '2026-11-16T09:00:00-05:00', true],
    ['Perth at 09:00 in Sydney', '+61891234567', '2026-11-16T09:00:00+11:00', false],
    ['Perth at its own 17:59', '+61891234567', '2026-11-16T17:59:59+08:00', true],
    ['an Australian mobile number at 09:00 in Sydney', '+61412345678', '2026-11-16T09:00:00+11:00', false],
    ['an Australian mobile number at 13:00 in Sydney', '+61412345678', '2026-11-16T13:00:00+11:00', true],
    ['Christmas Island at its own 09:00', '+61891641234', '2026-11-16T09:00:00+07:00', true],
    ['Jayapura at its own 09:00', '+62967123456', '2026-11-16T09:00:00+09:00', true],
    ['the Azores at 09:00 in Lisbon', '+351292123456', '2026-11-16T09:00:00Z', false],
    ['Madeira at its own 09:00', '+351291123456', '2026-11-16T09:00:00Z', true],
    ['the Canary Islands at 18:30 in Madrid', '+34928123456', '2026-11-16T18:30:00+01:00', true],
    ['Madrid at 18:30', '+34911234567', '2026-11-16T18:30:00+01:00', false],
    ['Kosovo at its own 09:00', '+38343201234', '2026-11-16T09:00:00+01:00', true],
    ['Kosovo at its own 18:00', '+38343201234', '2026-11-16T18:00:00+01:00', false],
    ['Ascension Island at its own 09:00', '+24762889', '2026-11-16T09:00:00Z', true],
    ['Tristan da Cunha at its own 17:59', '+2908123', '2026-11-16T17:59:59Z', true],
    ['a satellite telephone at 09:00 UTC', '+870773111632', '2026-11-16T09:00:00Z', true],
    ['a satellite telephone at night by UTC', '+870773111632', '2026-11-16T20:00:00Z', false],
    ['a calling code without an owner', '+999123456789', '2026-11-16T12:00:00Z', false],
    ['what is no number', '1001', '2026-11-16T12:00:00Z', false],
  ])('judge %s', (_case, phoneNumber, now, allowed) => {
    expect(isCallingHour(phoneNumber, new Date(now))).toBe(allowed);
  });

  it.each([
    [65, 'Mato Grosso', '-04:00'],
    [66, 'Mato Grosso', '-04:00'],
    [67, 'Mato Grosso do Sul', '-04:00'],
    [68, 'Acre', '-05:00'],
    [69, 'Rondônia', '-04:00'],
    [92, 'Amazonas', '-04:00'],
    [95, 'Roraima', '-04:00'],
    [97, 'Amazonas', '-04:00'],
    [91, 'Pará', '-03:00'],
  ])('of the area code %i are those of %s', (areaCode, _state, offset) => {
    const at = (time: string) =>
      isCallingHour(`+55${areaCode}987654321`, new Date(`2026-11-16T${time}${offset}`));
    expect(at('08:59:59')).toBe(false);
    expect(at('09:00:00')).toBe(true);
  });

  /** Each hour of a week in winter and of one in summer. */
  const weeks = ['2026-01-12T00:30Z', '2026-07-13T00:30Z'].map((monday) =>
    Array.from({ length: 7 * 24 }, (_, hour) => Date.parse(monday) + hour * 3_600_000),
  );

  /** The hours of a week at which a number may be called, and on how many days they are: those of the Pacific begin a day before in UTC. */
  const openingsOf = (number: string, week: readonly number[]) => {
    const open = new Set(week.filter((at) => isCallingHour(number, new Date(at))));
    const first = [...open].filter((at) => !open.has(at - 3_600_000));
    return { days: first.length, hours: open.size };
  };

  it.each(getCountries())('of %s are some on each working day', (country) => {
    const number = `+${getCountryCallingCode(country)}${examples[country]}`;
    for (const week of weeks) {
      const { days, hours } = openingsOf(number, week);
      expect(days).toBeGreaterThanOrEqual(5);
      expect(hours).toBeGreaterThanOrEqual(20);
    }
  });

  it.each(['800', '808', '870', '878', '881', '882', '883', '888', '979'])(
    'of the calling code %s, which is of no country, are office hours',
    (callingCode) => {
      for (const week of weeks) {
        expect(openingsOf(`+${callingCode}12345678`, week)).toEqual({ days: 5, hours: 45 });
      }
    },
  );

  it('are some on each working day for every area code', () => {
    const [winter = []] = weeks;
    const areas = Object.entries(AREA_ZONES).flatMap(([callingCode, zones]) =>
      Object.values(zones).flatMap((codes) =>
        codes
          .trim()
          .split(/\s+/)
          .map((code) => `+${callingCode}${code.padEnd(10, '2')}`),
      ),
    );
    // One number for each set of zones is enough.
    const numbers = new Map(areas.map((number) => [String(placeOf(number)?.zones), number]));
    expect([...numbers.values()].filter((number) => openingsOf(number, winter).days < 5)).toEqual([]);
  });
});
