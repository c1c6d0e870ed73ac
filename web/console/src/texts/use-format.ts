import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Language, LOCALES } from '../../../shared/languages.js';
import { settingsQuery } from '../session/me.js';
import { useLanguage } from './texts.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Numbers, money and times as the reader writes them. */
export function useFormat() {
  const { language } = useLanguage();
  const { data: settings } = useQuery({ ...settingsQuery, enabled: false });
  const zone = settings?.timezone ?? 'UTC';
  return useMemo(() => formats(language, zone), [language, zone]);
}

/** @param zone of the account, in which times without a zone are written */
function formats(language: Language, zone: string) {
  const locale = LOCALES[language];
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
  // Messages cost parts of a cent.
  const smallMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 4,
  });
  const number = new Intl.NumberFormat(locale);
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const calendarDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  const toDate = (when: string) => dateOf(when, zone);
  const dayOfAccount = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return {
    /** `YYYY-MM-DD` on the calendar of the account. */
    today: () => dayOfAccount.format(new Date()),
    number: (value: number) => number.format(value),
    money: (usd: number) => (Math.abs(usd) < 0.1 && usd !== 0 ? smallMoney : money).format(usd),
    dateTime: (when: string) => dateTime.format(toDate(when)),
    time: (when: string) => time.format(toDate(when)),
    day: (when: string) => day.format(toDate(when)),
    /** A day of the calendar, `YYYY-MM-DD`, whatever the zone of the reader. */
    calendarDay: (date: string) => calendarDay.format(new Date(`${date}T00:00:00Z`)),
    /** Short, for lists: the time today, the day of the week in this week, the date otherwise. */
    recent: (when: string) => {
      const date = toDate(when);
      const days = (startOfDay(new Date()) - startOfDay(date)) / (DAY * 1_000);
      if (days < 1) return time.format(date);
      return days < 6 ? weekday.format(date) : day.format(date);
    },
    /** How long ago. */
    ago: (when: string) => {
      const seconds = Math.max(0, Math.round((Date.now() - toDate(when).getTime()) / 1_000));
      if (seconds < HOUR) return relative.format(-Math.floor(seconds / MINUTE), 'minute');
      if (seconds < DAY) return relative.format(-Math.floor(seconds / HOUR), 'hour');
      return relative.format(-Math.floor(seconds / DAY), 'day');
    },
    /** Seconds as a clock: 1:05, 1:02:03. */
    duration: (seconds: number) => {
      const whole = Math.max(0, Math.round(seconds));
      const parts = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE), whole % MINUTE];
      const shown = parts[0] === 0 ? parts.slice(1) : parts;
      return shown
        .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
        .join(':');
    },
  };
}

/** Times of calls and leads have no zone of their own. */
function dateOf(when: string, zone: string): Date {
  if (/(Z|[+-]\d\d:\d\d)$/.test(when)) return new Date(when);
  const asUtc = Date.parse(`${when.replace(' ', 'T')}Z`);
  // The zone's distance from UTC then; looked up twice, since the clocks may be changed in between.
  const guess = asUtc - offsetMs(asUtc, zone);
  return new Date(asUtc - offsetMs(guess, zone));
}

function offsetMs(moment: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${shown.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1_000) * 1_000;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
