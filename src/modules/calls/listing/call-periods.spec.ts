import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { findPlace, type PeriodSpan, spansToCount, spansToSeek } from './call-periods.js';

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
