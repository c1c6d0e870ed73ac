import { describe, expect, it } from '@jest/globals';
import { WEEKDAYS } from '../../../common/time/weekdays.js';
import { closedReason, type RoutingHours } from './routing-hours.js';

const MINUTE_MS = 60_000;
const OFFICE = { days: WEEKDAYS, from: '09:00', to: '18:00' };
const NIGHT = { days: WEEKDAYS, from: '22:00', to: '06:00' };

const hours = (timezone: string, ...weekly: RoutingHours['weekly']): RoutingHours => ({
  timezone,
  weekly,
  closed_dates: [],
});
const reasonAt = (of: RoutingHours, moment: string) => closedReason(of, new Date(moment));
const minuteBefore = (moment: string) => new Date(Date.parse(moment) - MINUTE_MS);

/** By zone: the office hours of the two days on which the clock changes, and the nights before them, in UTC. */
const CHANGES: readonly (readonly [zone: string, office: string[][], night: string[][]])[] = [
  [
    'America/New_York',
    [
      ['2026-03-08T13:00Z', '2026-03-08T22:00Z'],
      ['2026-11-01T14:00Z', '2026-11-01T23:00Z'],
    ],
    [
      ['2026-03-08T03:00Z', '2026-03-08T10:00Z'],
      ['2026-11-01T02:00Z', '2026-11-01T11:00Z'],
    ],
  ],
  [
    'Europe/Berlin',
    [
      ['2026-03-29T07:00Z', '2026-03-29T16:00Z'],
      ['2026-10-25T08:00Z', '2026-10-25T17:00Z'],
    ],
    [
      ['2026-03-28T21:00Z', '2026-03-29T04:00Z'],
      ['2026-10-24T20:00Z', '2026-10-25T05:00Z'],
    ],
  ],
  [
    'Australia/Sydney',
    [
      ['2026-10-03T22:00Z', '2026-10-04T07:00Z'],
      ['2026-04-04T23:00Z', '2026-04-05T08:00Z'],
    ],
    [
      ['2026-10-03T12:00Z', '2026-10-03T19:00Z'],
      ['2026-04-04T11:00Z', '2026-04-04T20:00Z'],
    ],
  ],
  [
    // At midnight: a day begins at 01:00, and another one ends twice.
    'America/Santiago',
    [
      ['2026-09-06T12:00Z', '2026-09-06T21:00Z'],
      ['2026-04-05T13:00Z', '2026-04-05T22:00Z'],
    ],
    [
      ['2026-09-06T02:00Z', '2026-09-06T09:00Z'],
      ['2026-04-05T01:00Z', '2026-04-05T10:00Z'],
    ],
  ],
  [
    'Pacific/Auckland',
    [
      ['2026-09-26T20:00Z', '2026-09-27T05:00Z'],
      ['2026-04-04T21:00Z', '2026-04-05T06:00Z'],
    ],
    [
      ['2026-09-26T10:00Z', '2026-09-26T17:00Z'],
      ['2026-04-04T09:00Z', '2026-04-04T18:00Z'],
    ],
  ],
  [
    // By half an hour.
    'Australia/Lord_Howe',
    [
      ['2026-10-03T22:00Z', '2026-10-04T07:00Z'],
      ['2026-04-04T22:30Z', '2026-04-05T07:30Z'],
    ],
    [
      ['2026-10-03T11:30Z', '2026-10-03T19:00Z'],
      ['2026-04-04T11:00Z', '2026-04-04T19:30Z'],
    ],
  ],
];

describe('the hours of a number', () => {
  describe.each(CHANGES)('in %s, on the days on which the clock changes', (zone, office, night) => {
    it.each(office)('the office is open from %s to %s', (from = '', to = '') => {
      const of = hours(zone, OFFICE);
      expect(closedReason(of, minuteBefore(from))).toBe('hours');
      expect(reasonAt(of, from)).toBeNull();
      expect(closedReason(of, minuteBefore(to))).toBeNull();
      expect(reasonAt(of, to)).toBe('hours');
    });

    it.each(night)('the night lasts from %s to %s, without a gap', (from = '', to = '') => {
      const of = hours(zone, NIGHT);
      expect(closedReason(of, minuteBefore(from))).toBe('hours');
      for (let at = Date.parse(from); at < Date.parse(to); at += 10 * MINUTE_MS) {
        expect([new Date(at), closedReason(of, new Date(at))]).toEqual([new Date(at), null]);
      }
      expect(reasonAt(of, to)).toBe('hours');
    });
  });

  it('follow the clock where an hour is skipped or comes twice', () => {
    const skipped = hours('America/New_York', { days: ['sunday'], from: '02:30', to: '04:00' });
    expect(reasonAt(skipped, '2026-03-08T06:59Z')).toBe('hours');
    expect(reasonAt(skipped, '2026-03-08T07:00Z')).toBeNull();
    const twice = hours('America/New_York', { days: ['sunday'], from: '01:00', to: '01:30' });
    expect(
      ['05:15', '05:45', '06:15', '06:45'].map((time) => reasonAt(twice, `2026-11-01T${time}Z`)),
    ).toEqual([null, 'hours', null, 'hours']);
  });

  it('last to the end of the day with 24:00, and through it with both ends', () => {
    const late = hours('UTC', { days: ['monday'], from: '18:00', to: '24:00' });
    expect(reasonAt(late, '2026-12-21T23:59:59Z')).toBeNull();
    expect(reasonAt(late, '2026-12-22T00:00Z')).toBe('hours');
    const whole = hours('UTC', { days: ['monday'], from: '00:00', to: '24:00' });
    expect(
      ['2026-12-20T23:59Z', '2026-12-21T00:00Z', '2026-12-22T00:00Z'].map((at) => reasonAt(whole, at)),
    ).toEqual(['hours', null, 'hours']);
  });

  it('belong to the day on which they begin, also across the week', () => {
    const weekend = hours('UTC', { days: ['sunday'], from: '20:00', to: '02:00' });
    expect(reasonAt(weekend, '2026-12-20T19:59Z')).toBe('hours');
    expect(reasonAt(weekend, '2026-12-20T20:00Z')).toBeNull();
    expect(reasonAt(weekend, '2026-12-21T01:59Z')).toBeNull();
    expect(reasonAt(weekend, '2026-12-21T02:00Z')).toBe('hours');
    // The morning of the Sunday itself belongs to Saturday.
    expect(reasonAt(weekend, '2026-12-20T01:00Z')).toBe('hours');
  });

  it('are those of any entry', () => {
    const two = hours(
      'UTC',
      { days: ['monday'], from: '09:00', to: '12:00' },
      { days: ['monday', 'tuesday'], from: '13:00', to: '17:00' },
    );
    expect(
      ['21T11:00', '21T12:30', '21T13:00', '22T11:00', '22T13:00'].map((at) =>
        reasonAt(two, `2026-12-${at}Z`),
      ),
    ).toEqual([null, 'hours', null, 'hours', null]);
  });

  it('are those of the zone, whatever the day is elsewhere', () => {
    const tokyo = hours('Asia/Tokyo', { days: ['monday'], from: '08:00', to: '10:00' });
    expect(reasonAt(tokyo, '2026-12-20T23:30Z')).toBeNull();
    expect(reasonAt(tokyo, '2026-12-21T08:30Z')).toBe('hours');
  });

  describe('on a closed date', () => {
    const closed = (...dates: string[]) => ({
      ...hours('America/Sao_Paulo', OFFICE, NIGHT),
      closed_dates: dates,
    });

    it('are closed all day by the calendar of the zone', () => {
      const of = closed('2026-12-25');
      expect(reasonAt(of, '2026-12-25T02:59Z')).toBeNull();
      expect(reasonAt(of, '2026-12-25T03:00Z')).toBe('closed_date');
      expect(reasonAt(of, '2026-12-25T15:00Z')).toBe('closed_date');
      expect(reasonAt(of, '2026-12-26T15:00Z')).toBeNull();
    });

    it('are cancelled to their end where they run into the next day', () => {
      const of = closed('2026-12-25');
      expect(reasonAt(of, '2026-12-26T04:00Z')).toBe('closed_date');
      expect(reasonAt(of, '2026-12-26T10:00Z')).toBe('hours');
      expect(reasonAt(of, '2026-12-27T04:00Z')).toBeNull();
    });
  });
});
