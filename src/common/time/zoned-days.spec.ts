import { describe, expect, it } from '@jest/globals';
import { momentsOfDays, toPlainTimestamp } from './zoned-days.js';

const rangeOf = (from: string | undefined, to: string | undefined, zone: string) => {
  const { from: first, before } = momentsOfDays(from, to, zone);
  return [first?.toISOString(), before?.toISOString()];
};

describe('days on the calendar of a time zone', () => {
  it('begin and end when the clocks of the zone say so', () => {
    expect(rangeOf('2026-01-31', '2026-01-31', 'America/Sao_Paulo')).toEqual([
      '2026-01-31T03:00:00.000Z',
      '2026-02-01T03:00:00.000Z',
    ]);
    expect(rangeOf('2026-01-31', '2026-01-31', 'Asia/Kathmandu')).toEqual([
      '2026-01-30T18:15:00.000Z',
      '2026-01-31T18:15:00.000Z',
    ]);
  });

  it('have 23 and 25 hours when the clocks are changed', () => {
    expect(rangeOf('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(rangeOf('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it('begin at one where the clocks leave midnight out', () => {
    expect(rangeOf('2018-11-04', '2018-11-04', 'America/Sao_Paulo')).toEqual([
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ]);
  });

  it('are open at an end that is left out, and at the ends of the calendar', () => {
    expect(rangeOf(undefined, '2026-01-31', 'UTC')).toEqual([undefined, '2026-02-01T00:00:00.000Z']);
    expect(rangeOf('2026-01-31', undefined, 'UTC')).toEqual(['2026-01-31T00:00:00.000Z', undefined]);
    expect(rangeOf('0001-01-01', '9999-12-31', 'Pacific/Kiritimati')).toEqual([undefined, undefined]);
  });
});

describe('a plain timestamp', () => {
  it.each([
    ['UTC', '2026-07-31 18:30:05'],
    ['America/Sao_Paulo', '2026-07-31 15:30:05'],
    ['Asia/Kathmandu', '2026-08-01 00:15:05'],
    ['Europe/Berlin', '2026-07-31 20:30:05'],
  ])('shows the clock of %s', (zone, shown) => {
    expect(toPlainTimestamp(new Date('2026-07-31T18:30:05.999Z'), zone)).toBe(shown);
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25 02:59:59'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25 02:00:00'],
    ['Europe/Berlin', '2026-10-24T23:59:59Z', '2026-10-25 01:59:59'],
    ['Europe/Berlin', '2026-10-26T00:00:00Z', '2026-10-26 01:00:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05 01:59:59'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05 01:30:00'],
    ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08 01:59:59'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08 03:00:00'],
  ])('shows the clock of %s when it is changed, %s, also a second time', (zone, moment, shown) => {
    expect(toPlainTimestamp(new Date(moment), zone)).toBe(shown);
    expect(toPlainTimestamp(new Date(moment), zone)).toBe(shown);
  });

  it('is for each hour of three years what the runtime says', () => {
    const zones = ['America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Gaza', 'Pacific/Apia', 'Europe/Lisbon'];
    const hours = Array.from({ length: 3 * 365 * 24 }, (_, hour) => Date.UTC(2017, 0, 1, hour));
    const wrong = zones.flatMap((zone) => {
      const format = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      return hours.filter((hour) => toPlainTimestamp(new Date(hour), zone) !== format.format(hour));
    });
    expect(wrong).toEqual([]);
  });
});
