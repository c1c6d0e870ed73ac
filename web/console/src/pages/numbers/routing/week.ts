import { WeeklyHoursRequestSchema } from '#client/rules.gen.js';
import type { WeeklyHoursResponse } from '#client/types.gen.js';

/** From Monday to Sunday. */
export const WEEKDAYS = WeeklyHoursRequestSchema.properties.days.items.enum;
export type Weekday = (typeof WEEKDAYS)[number];

const WORKDAYS: ReadonlySet<Weekday> = new Set(WEEKDAYS.slice(0, 5));

/** Hours of one day: a row of the week grid. */
export interface DayHours {
  readonly day: Weekday;
  /** `HH:MM`. */
  readonly from: string;
  /** `HH:MM` up to `24:00`, exclusive. One before `from` is of the next day. */
  readonly to: string;
}

/** Where hours end. */
export type HoursEnd = 'same-day' | 'midnight' | 'next-day' | 'whole-day';

/** A row for each day of each entry, by day and start. */
export function rowsOf(weekly: readonly WeeklyHoursResponse[]): DayHours[] {
  return WEEKDAYS.flatMap((day) =>
    weekly
      .filter(({ days }) => days.includes(day))
      .map(({ from, to }) => ({ day, from, to }))
      .sort((one, other) => one.from.localeCompare(other.from)),
  );
}

/**
 * The entries of the API: days with the same hours share one.
 *
 * @param stored returned as it is if it has the same rows, so that the grid rewrites only what was changed
 */
export function weeklyOf(
  rows: readonly DayHours[],
  stored: readonly WeeklyHoursResponse[] = [],
): WeeklyHoursResponse[] {
  if (JSON.stringify(rowsOf(stored)) === JSON.stringify(rows)) return [...stored];
  const entries = new Map<string, WeeklyHoursResponse>();
  for (const { day, from, to } of rows) {
    const key = `${from} ${to}`;
    const days = new Set(entries.get(key)?.days).add(day);
    entries.set(key, { days: WEEKDAYS.filter((each) => days.has(each)), from, to });
  }
  return [...entries.values()];
}

/** Replaces the hours of other days by those of one. */
export function copyHours(
  rows: readonly DayHours[],
  source: Weekday,
  targets: readonly Weekday[],
): DayHours[] {
  const copied = rows.filter(({ day }) => day === source);
  const others = targets.filter((day) => day !== source);
  return WEEKDAYS.flatMap((day) =>
    others.includes(day) ? copied.map((row) => ({ ...row, day })) : rows.filter((row) => row.day === day),
  );
}

export function isWorkday(day: Weekday): boolean {
  return WORKDAYS.has(day);
}

export function dayAfter(day: Weekday): Weekday {
  return WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % WEEKDAYS.length] ?? day;
}

/** Null while the hours are incomplete or refused. */
export function endOf({ from, to }: Pick<DayHours, 'from' | 'to'>): HoursEnd | null {
  if (from === '' || to === '' || from === to) return null;
  if (to === '24:00') return from === '00:00' ? 'whole-day' : 'midnight';
  if (to === '00:00') return 'midnight';
  return to < from ? 'next-day' : 'same-day';
}

/** A clock of a browser has no 24:00. */
export function clockOfEnd(to: string): string {
  return to === '24:00' ? '00:00' : to;
}

/** Midnight ends the day, so that 00:00 to 00:00 is the whole day. */
export function endOfClock(clock: string): string {
  return clock === '00:00' ? '24:00' : clock;
}

/** What the API refuses of its entries, at the rows that they were made of. Other errors stay. */
export function errorsAtRows(
  errors: Readonly<Record<string, string>>,
  sent: readonly WeeklyHoursResponse[],
  rows: readonly DayHours[],
): Record<string, string> {
  const moved = Object.entries(errors).flatMap(([path, text]) => {
    const [, at, field] = /^hours\.weekly\.(\d+)\.(\w+)/.exec(path) ?? [];
    const entry = sent[Number(at)];
    if (!entry) return [[path, text]];
    if (field !== 'from' && field !== 'to') return [['hours.weekly', text]];
    return rows.flatMap((row, index) =>
      row.from === entry.from && row.to === entry.to && entry.days.includes(row.day)
        ? [[`hours.weekly.${index}.${field}`, text]]
        : [],
    );
  });
  return Object.fromEntries(moved) as Record<string, string>;
}
