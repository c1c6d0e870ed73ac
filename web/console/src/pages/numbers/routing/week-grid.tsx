import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo } from 'react';
import { LOCALES } from '#web/shared/languages.js';
import type { Values } from '../../../forms/schema-form.js';
import { useLanguage, useTexts } from '../../../texts/texts.js';
import classes from './routing.module.css';
import { type DayHours, WEEKDAYS, type Weekday } from './week.js';
import { WeekDay } from './week-day.js';

const PATH = 'hours.weekly';
/** The calendar begins with a Monday here. */
const FIRST_MONDAY = '2024-01-01T00:00:00Z';
const DAY_MS = 24 * 60 * 60_000;

interface Props {
  readonly form: UseFormReturnType<Values>;
  readonly rows: readonly DayHours[];
}

/** When the number is open, by days of the week. */
export function WeekGrid({ form, rows }: Props) {
  const { week: t } = useTexts('numberRouting');
  const names = useWeekdayNames();
  const error = form.errors[PATH];
  // Errors belong to positions in the list, which other rows have afterwards.
  const replace = (next: readonly DayHours[]) => {
    form.setErrors(
      Object.fromEntries(Object.entries(form.errors).filter(([path]) => !path.startsWith(PATH))),
    );
    form.setFieldValue(PATH, next);
  };
  const change = (at: number, field: 'from' | 'to', value: string) => {
    form.setFieldValue(`${PATH}.${at}.${field}`, value);
    // The end can be wrong because of the start.
    if (field === 'from') form.clearFieldError(`${PATH}.${at}.to`);
  };
  return (
    <div role="group" aria-label={t.label} className={classes.week}>
      {WEEKDAYS.map((day) => (
        <WeekDay
          key={day}
          day={day}
          names={names}
          rows={rows}
          errorOf={(at, field) => form.errors[`${PATH}.${at}.${field}`]}
          onChange={change}
          onReplace={replace}
        />
      ))}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}

/** Days of the week, as the reader writes them. */
function useWeekdayNames(): Readonly<Record<Weekday, string>> {
  const { language } = useLanguage();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(LOCALES[language], { weekday: 'long', timeZone: 'UTC' });
    const names = WEEKDAYS.map((day, at) => [day, format.format(Date.parse(FIRST_MONDAY) + at * DAY_MS)]);
    return Object.fromEntries(names) as Record<Weekday, string>;
  }, [language]);
}
