import type { MomentRange } from '../../../common/time/zoned-days.js';

/** For which spans of time calls are counted. */
export type Period = 'day' | 'month' | 'all';

/** Days are `YYYY-MM-DD`, in UTC; both ends belong to a span. */
export interface PeriodSpan {
  readonly period: Period;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Moments as they are counted: by whole periods, and call by call at the edges where a UTC day is not whole. */
export interface CountedRange {
  readonly spans: readonly PeriodSpan[];
  readonly edges: readonly MomentRange[];
}

const DAY_MS = 86_400_000;

/** The calendar of the database and of the filters. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** The fewest periods that count the calls of a range. */
export function rangeToCount(range: MomentRange): CountedRange {
  return inDays(range, spansToCount);
}

/** The periods of a range, from which a place in it is found. */
export function rangeToSeek(range: MomentRange): CountedRange {
  return inDays(range, spansToSeek);
}

/** Where a day ends within a range. */
export function endOf(day: string, { before }: MomentRange): Date | undefined {
  if (day === LAST_DAY) return before;
  const end = new Date(Date.parse(day) + DAY_MS);
  return before && before < end ? before : end;
}

function inDays(
  { from, before }: MomentRange,
  spansOf: (from?: string, to?: string) => PeriodSpan[],
): CountedRange {
  if (from && before && from >= before) return { spans: [], edges: [] };
  const start = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const end = before && new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS);
  // Less than a day from one midnight to the next: no day is whole.
  if (start && end && start > end) return { spans: [], edges: [{ from, before }] };
  return {
    spans: spansOf(start && dayOf(start), end && dayOf(new Date(end.getTime() - DAY_MS))),
    edges: [
      ...(from && start && from < start ? [{ from, before: start }] : []),
      ...(before && end && end < before ? [{ from: end, before }] : []),
    ],
  };
}

const dayOf = (midnight: Date): string => midnight.toISOString().slice(0, 10);

/** The fewest periods that count the days from one to another. Without ends, that is the count of all. */
export function spansToCount(from?: string, to?: string): PeriodSpan[] {
  if (from === undefined && to === undefined) {
    return [{ period: 'all', firstDay: FIRST_DAY, lastDay: LAST_DAY }];
  }
  return spansToSeek(from, to);
}

/** Whole months, and single days where a month is not whole, from the oldest to the newest. */
export function spansToSeek(from = FIRST_DAY, to = LAST_DAY): PeriodSpan[] {
  if (from > to) return [];
  const [fromMonth, toMonth] = [monthOf(from), monthOf(to)];
  const isStartWhole = from === firstDayOf(fromMonth);
  const isEndWhole = to === lastDayOf(toMonth);
  if (fromMonth === toMonth && !(isStartWhole && isEndWhole)) {
    return [{ period: 'day', firstDay: from, lastDay: to }];
  }
  const firstMonth = isStartWhole ? fromMonth : shift(fromMonth, 1);
  const lastMonth = isEndWhole ? toMonth : shift(toMonth, -1);
  const spans: PeriodSpan[] = [];
  if (!isStartWhole) spans.push({ period: 'day', firstDay: from, lastDay: lastDayOf(fromMonth) });
  if (firstMonth <= lastMonth) {
    spans.push({ period: 'month', firstDay: firstDayOf(firstMonth), lastDay: lastDayOf(lastMonth) });
  }
  if (!isEndWhole) spans.push({ period: 'day', firstDay: firstDayOf(toMonth), lastDay: to });
  return spans;
}

const monthOf = (day: string): string => day.slice(0, 7);
const firstDayOf = (month: string): string => `${month}-01`;

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // The calendar repeats after 400 years; JavaScript takes years below 100 for those of the last century.
  const days = new Date(Date.UTC(2000 + (year % 400), number, 0)).getUTCDate();
  return `${month}-${days}`;
}

function shift(month: string, by: 1 | -1): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const months = year * 12 + (number - 1) + by;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}
