import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import {
  endOf,
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

  it('ends a day where the next begins, or earlier where the range does', () => {
    const next = at('2026-03-01T00:00:00Z');
    expect(endOf('2026-02-28', {})).toEqual(next);
    expect(endOf('2026-02-28', { before: at('2026-03-01T00:00:00.001Z') })).toEqual(next);
    expect(endOf('2026-02-28', { before: at('2026-02-28T23:00:00Z') })).toEqual(at('2026-02-28T23:00:00Z'));
  });

  it('does not end the last day of the calendar', () => {
    expect(endOf('9999-12-31', {})).toBeUndefined();
    expect(endOf('9999-12-31', { before: midnight })).toEqual(midnight);
  });
});
