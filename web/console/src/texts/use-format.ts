import { useQuery } from '@tanstack/react-query';
import { type Language, LOCALES } from '../../../shared/languages.js';
import { settingsQuery } from '../session/me.js';
import { useLanguage } from './texts.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIZES = { gigabyte: 1e9, megabyte: 1e6, kilobyte: 1e3 } as const;

/** Numbers, money and times as the reader writes them. */
export function useFormat() {
  const { language } = useLanguage();
  const { data: settings } = useQuery({ ...settingsQuery, enabled: false });
  // Guests, who open a shared call, have no account: they see times in the zone of their browser.
  const zone = settings?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return formatsOf(language, zone);
}

/** Making a formatter takes a browser up to 1 ms, and each row of a list wants some. */
const made = new Map<string, ReturnType<typeof formats>>();

function formatsOf(language: Language, zone: string) {
  const key = `${language} ${zone}`;
  const found = made.get(key) ?? formats(language, zone);
  made.set(key, found);
  return found;
}

/** @param zone of the account, in which times are shown, and written where they have no zone of their own */
function formats(language: Language, zone: string) {
  const locale = LOCALES[language];
  const currency = { style: 'currency', currency: 'USD' } as const;
  const money = once(() => new Intl.NumberFormat(locale, currency));
  // Messages cost parts of a cent.
  const smallMoney = once(() => new Intl.NumberFormat(locale, { ...currency, maximumFractionDigits: 4 }));
  const number = once(() => new Intl.NumberFormat(locale));
  const size = (unit: keyof typeof SIZES) =>
    once(() => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 3 }));
  const sizes = {
    gigabyte: size('gigabyte'),
    megabyte: size('megabyte'),
    kilobyte: size('kilobyte'),
  };
  const times = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }));
  const dateTime = times({ dateStyle: 'medium', timeStyle: 'short' });
  const time = times({ timeStyle: 'short' });
  const day = times({ day: 'numeric', month: 'short' });
  const calendarDay = times({ day: 'numeric', month: 'short', timeZone: 'UTC' });
  const calendarDate = times({ dateStyle: 'medium', timeZone: 'UTC' });
  const weekday = times({ weekday: 'short' });
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }));
  const clockOfAccount = once(
    () => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  );
  const toDate = (when: string) => dateOf(when, clockOfAccount);
  const dayOfAccount = once(() => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }));
  const calendarDayOf = (date: Date) => Date.parse(dayOfAccount().format(date));
  return {
    /** `YYYY-MM-DD` on the calendar of the account. */
    today: () => dayOfAccount().format(new Date()),
    /** The day of a moment, likewise. */
    dayKey: (when: string) => dayOfAccount().format(toDate(when)),
    number: (value: number) => number().format(value),
    decimalSeparator: () => number().format(0.5).charAt(1),
    /** A size of a file, in the unit that suits it. */
    bytes: (value: number) => {
      const unit = value >= SIZES.gigabyte ? 'gigabyte' : value >= SIZES.megabyte ? 'megabyte' : 'kilobyte';
      return sizes[unit]().format(value / SIZES[unit]);
    },
    money: (usd: number) => (Math.abs(usd) < 0.1 && usd !== 0 ? smallMoney : money)().format(usd),
    dateTime: (when: string) => dateTime().format(toDate(when)),
    time: (when: string) => time().format(toDate(when)),
    day: (when: string) => day().format(toDate(when)),
    /** A day of the calendar, `YYYY-MM-DD`, independent of the reader's time zone. */
    calendarDay: (date: string) => calendarDay().format(new Date(`${date}T00:00:00Z`)),
    /** The same with its year. */
    calendarDate: (date: string) => calendarDate().format(new Date(`${date}T00:00:00Z`)),
    /** Short, for lists: the time today, the day of the week in this week, the date otherwise. */
    recent: (when: string) => {
      const date = toDate(when);
      const days = (calendarDayOf(new Date()) - calendarDayOf(date)) / (DAY * 1_000);
      if (days < 1) return time().format(date);
      return days < 6 ? weekday().format(date) : day().format(date);
    },
    /** How long ago. */
    ago: (when: string) => {
      const seconds = Math.max(0, Math.round((Date.now() - toDate(when).getTime()) / 1_000));
      if (seconds < HOUR) return relative().format(-Math.floor(seconds / MINUTE), 'minute');
      if (seconds < DAY) return relative().format(-Math.floor(seconds / HOUR), 'hour');
      return relative().format(-Math.floor(seconds / DAY), 'day');
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

/** Times of calls and leads have no zone of their own. @param clock of the account */
function dateOf(when: string, clock: () => Intl.DateTimeFormat): Date {
  if (/(Z|[+-]\d\d:\d\d)$/.test(when)) return new Date(when);
  const asUtc = Date.parse(`${when.replace(' ', 'T')}Z`);
  // The zone's distance from UTC then; looked up twice, since the clocks may be changed in between.
  const guess = asUtc - offsetMs(asUtc, clock());
  return new Date(asUtc - offsetMs(guess, clock()));
}

function offsetMs(moment: number, clock: Intl.DateTimeFormat): number {
  return Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1_000) * 1_000;
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
