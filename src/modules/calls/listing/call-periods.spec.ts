import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import {
  endOf,
  findPlace,
  type PeriodSpan,
  rangeToCount,
  rangeToSeek,
  spansToCount,
  spansToSeek,
} from './call-periods.js';

const DAY_MS = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`);
const day = integer({ min: toMs('1999-11-20') / DAY_MS, max: toMs('2004-04-10') / DAY_MS });

function daysOf({ firstDay, lastDay }: PeriodSpan): string[] {
  const days: string[] = [];
  for (let ms = toMs(firstDay); ms <= toMs(lastDay); ms += DAY_MS) days.push(toDay(ms));
  return days;
}

describe('the spans of a range of days', () => {
  it('hold each of its days once, in order, by months but for the edges', () => {
    assert(
      property(day, day, (a, b) => {
        const [from, to] = [toDay(Math.min(a, b) * DAY_MS), toDay(Math.max(a, b) * DAY_MS)];
        const spans = spansToSeek(from, to);
        expect(spans.flatMap(daysOf)).toEqual(daysOf({ period: 'day', firstDay: from, lastDay: to }));
        for (const { period, firstDay, lastDay } of spans) {
          if (period === 'month') {
            expect(firstDay).toMatch(/-01$/);
            expect(toDay(toMs(lastDay) + DAY_MS)).toMatch(/-01$/);
          } else {
            expect(firstDay.slice(0, 7)).toBe(lastDay.slice(0, 7));
          }
        }
        expect(spans.length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('are none when the range ends before it begins', () => {
    expect(spansToCount('2026-02-02', '2026-02-01')).toEqual([]);
  });

  it('are one period when there is no range', () => {
    expect(spansToCount()).toEqual([{ period: 'all', firstDay: '0001-01-01', lastDay: '9999-12-31' }]);
  });

  it.each([
    [undefined, '9999-12-31', 1],
    ['0001-01-01', undefined, 1],
    ['9999-12-02', undefined, 1],
    [undefined, '0001-01-30', 1],
    ['0001-01-02', '9999-12-30', 3],
  ])('reach the ends of the calendar: %s to %s', (from, to, count) => {
    const spans = spansToSeek(from, to);
    expect(spans).toHaveLength(count);
    expect([spans[0]?.firstDay, spans.at(-1)?.lastDay]).toEqual([from ?? '0001-01-01', to ?? '9999-12-31']);
  });
});

describe('a range of moments', () => {
  const at = (text: string) => new Date(text);
  const midnight = at('2026-03-10T00:00:00Z');
  const all = { period: 'all', firstDay: '0001-01-01', lastDay: '9999-12-31' };

  it('is counted by days between two midnights, with nothing at its edges', () => {
    const range = { from: midnight, before: at('2026-03-12T00:00:00Z') };
    const days = { period: 'day', firstDay: '2026-03-10', lastDay: '2026-03-11' };
    expect(rangeToCount(range)).toEqual({ spans: [days], edges: [] });
    expect(rangeToSeek(range)).toEqual({ spans: [days], edges: [] });
  });

  it('is counted call by call where its first and last day are not whole', () => {
    const from = at('2026-03-09T23:59:59.999Z');
    const before = at('2026-03-11T00:00:00.001Z');
    expect(rangeToCount({ from, before })).toEqual({
      spans: [{ period: 'day', firstDay: '2026-03-10', lastDay: '2026-03-10' }],
      edges: [
        { from, before: midnight },
        { from: at('2026-03-11T00:00:00Z'), before },
      ],
    });
  });

  it('between two midnights that holds none of them, or one, has no whole day', () => {
    const within = { from: at('2026-03-10T08:00:00Z'), before: at('2026-03-10T09:00:00Z') };
    expect(rangeToCount(within)).toEqual({ spans: [], edges: [within] });
    const around = { from: at('2026-03-09T08:00:00Z'), before: at('2026-03-10T09:00:00Z') };
    expect(rangeToCount(around)).toEqual({
      spans: [],
      edges: [
        { from: around.from, before: midnight },
        { from: midnight, before: around.before },
      ],
    });
  });

  it.each([midnight, at('2026-03-09T00:00:00Z')])('holds nothing when it ends at %s or before', (before) => {
    expect(rangeToCount({ from: midnight, before })).toEqual({ spans: [], edges: [] });
  });

  it('without ends is everything, by one count or by months', () => {
    expect(rangeToCount({})).toEqual({ spans: [all], edges: [] });
    expect(rangeToSeek({})).toEqual({ spans: [{ ...all, period: 'month' }], edges: [] });
  });

  it('with one end goes to the end of the calendar', () => {
    const from = at('2026-03-01T00:00:01Z');
    expect(rangeToCount({ from })).toEqual({
      spans: [
        { period: 'day', firstDay: '2026-03-02', lastDay: '2026-03-31' },
        { period: 'month', firstDay: '2026-04-01', lastDay: '9999-12-31' },
      ],
      edges: [{ from, before: at('2026-03-02T00:00:00Z') }],
    });
    const before = at('2026-03-01T00:00:01Z');
    expect(rangeToCount({ before })).toEqual({
      spans: [{ period: 'month', firstDay: '0001-01-01', lastDay: '2026-02-28' }],
      edges: [{ from: at('2026-03-01T00:00:00Z'), before }],
    });
  });

  it('ends a span where the day after it begins, or earlier where the range does', () => {
    const span = { period: 'month', firstDay: '2026-02-01', lastDay: '2026-02-28' } as const;
    const next = at('2026-03-01T00:00:00Z');
    expect(endOf(span, {})).toEqual(next);
    expect(endOf(span, { before: at('2026-03-01T00:00:00.001Z') })).toEqual(next);
    expect(endOf(span, { before: at('2026-02-28T23:00:00Z') })).toEqual(at('2026-02-28T23:00:00Z'));
  });

  it('does not end the last span of the calendar', () => {
    const last = { period: 'day', firstDay: '9999-12-31', lastDay: '9999-12-31' } as const;
    expect(endOf(last, {})).toBeUndefined();
    expect(endOf(last, { before: midnight })).toEqual(midnight);
  });
});

describe('the place of an offset', () => {
  const counts = [
    { period: 'day', startsOn: '2026-01-30', calls: 2 },
    { period: 'month', startsOn: '2026-02-01', calls: 3 },
    { period: 'day', startsOn: '2026-03-01', calls: 1 },
  ] as const;

  it.each([
    [0, '2026-03-01', '2026-03-01', 0],
    [1, '2026-02-01', '2026-02-28', 0],
    [3, '2026-02-01', '2026-02-28', 2],
    [5, '2026-01-30', '2026-01-30', 1],
  ])('%i newer calls away is in the period from %s to %s', (offset, firstDay, lastDay, skip) => {
    expect(findPlace(counts, offset)).toMatchObject({ span: { firstDay, lastDay }, skip });
  });

  it('is nowhere when there are not so many calls', () => {
    expect(findPlace(counts, 6)).toBeNull();
  });
});
