import { DateTime } from 'luxon';
import type { EgressClient } from '../../common/egress/egress-client.js';
import { EgressError } from '../../common/egress/egress-error.js';
import type { BuiltinToolSpec } from '../assistant-snapshot.js';
import { bookingContent, bookingParameters } from './booking-parameters.js';
import { CalendarClient, CalendarError } from './calendar-client.js';
import { calendarSettings, type CalendarSettings } from './calendar-settings.js';
import {
  checkArguments,
  parametersSchema,
  type ToolArguments,
  type ToolParameterSpec,
} from '../tools/tool-arguments.js';
import {
  errorOutcome,
  objectOutcome,
  refusedArguments,
  type RuntimeTool,
  type ToolOutcome,
} from '../tools/tool.js';

const DAY = 'yyyy-MM-dd';
const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
/** What a model can weigh and a prompt can bear. */
const MAX_TIMES = 120;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

const RANGE_PARAMETERS: readonly ToolParameterSpec[] = [
  { name: 'start_date', type: 'string', description: 'First day to look at, as YYYY-MM-DD', required: true },
  {
    name: 'end_date',
    type: 'string',
    description: `Last day to look at, as YYYY-MM-DD; ${DEFAULT_DAYS} days are looked at when left out, ${MAX_DAYS} at most`,
    required: false,
  },
];

/**
 * Finding free times and booking them through Cal.com, two tools for each calendar. One calendar's tools have plain names;
 * those of several carry the slug of their event.
 *
 * @param timezone IANA name; dates and times are written and read in it
 */
export function calendarTools(
  specs: readonly BuiltinToolSpec[],
  egress: EgressClient,
  timezone: string,
): RuntimeTool[] {
  const calendars = specs.map(calendarSettings).filter((settings) => settings !== null);
  const suffixes = nameSuffixes(calendars);
  return calendars.flatMap((settings, index) => {
    const client = new CalendarClient(settings, egress);
    const suffix = suffixes[index] ?? '';
    return [
      findFreeTimes(settings, client, timezone, suffix),
      bookAppointment(settings, client, timezone, suffix),
    ];
  });
}

function nameSuffixes(calendars: readonly CalendarSettings[]): string[] {
  if (calendars.length < 2) return [''];
  const taken = new Set<string>();
  return calendars.map(({ eventSlug }) => {
    const slug = `_${eventSlug
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 40)}`;
    let suffix = slug;
    for (let number = 2; taken.has(suffix); number++) suffix = `${slug}_${number}`;
    taken.add(suffix);
    return suffix;
  });
}

function findFreeTimes(
  { eventSlug, description }: CalendarSettings,
  client: CalendarClient,
  timezone: string,
  suffix: string,
): RuntimeTool {
  return {
    definition: {
      name: `find_free_times${suffix}`,
      description: `Finds free times for an appointment (${eventSlug}). ${description}`.trim(),
      parameters: parametersSchema(RANGE_PARAMETERS),
    },
    run: (given, { signal }) =>
      answering(RANGE_PARAMETERS, given, async (args) => {
        const now = DateTime.now().setZone(timezone);
        const range = rangeOf(args, now);
        if ('problem' in range) return errorOutcome(range.problem);
        const times = await client.freeTimes(range.from, range.to, signal);
        return objectOutcome({ today: dayName(now), timezone, ...freeDays(times) });
      }),
  };
}

function bookAppointment(
  { eventSlug, description, bookingFields }: CalendarSettings,
  client: CalendarClient,
  timezone: string,
  suffix: string,
): RuntimeTool {
  const parameters = bookingParameters(timezone, bookingFields);
  return {
    definition: {
      name: `book_appointment${suffix}`,
      description:
        `Books an appointment (${eventSlug}) at a free time, once the customer has agreed to it. ${description}`.trim(),
      parameters: parametersSchema(parameters),
    },
    run: (given, { signal }) =>
      answering(parameters, given, async (args) => {
        const start = startOf(String(args['start']), timezone);
        if ('problem' in start) return errorOutcome(start.problem);
        const content = bookingContent(parameters, args);
        if ('problem' in content) return refusedArguments(content.problem);
        const receipt = await client.book({ start: start.time, ...content }, signal);
        return objectOutcome({
          booked: true,
          start: start.time.toFormat("yyyy-MM-dd'T'HH:mm"),
          timezone,
          ...receipt,
        });
      }),
  };
}

/** Checks arguments and turns the failures that are foreseen into sentences for the model. */
async function answering(
  parameters: readonly ToolParameterSpec[],
  given: Readonly<Record<string, unknown>>,
  act: (args: ToolArguments) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const checked = checkArguments(parameters, given);
  if ('problem' in checked) return refusedArguments(checked.problem);
  try {
    return await act(checked.args);
  } catch (error) {
    if (error instanceof CalendarError || error instanceof EgressError) return errorOutcome(error.message);
    throw error;
  }
}

type DayRange = { readonly from: DateTime; readonly to: DateTime };

function rangeOf(args: ToolArguments, now: DateTime): DayRange | { readonly problem: string } {
  const first = dayOf(args['start_date'], now);
  const last =
    args['end_date'] === undefined ? first.plus({ days: DEFAULT_DAYS - 1 }) : dayOf(args['end_date'], now);
  if (!first.isValid || !last.isValid)
    return { problem: `Give dates as YYYY-MM-DD; today is ${dayName(now)}.` };
  if (last < first) return { problem: 'The last day comes before the first.' };
  const to = last.endOf('day');
  if (to < now) return { problem: `Those days have passed; today is ${dayName(now)}.` };
  if (last.diff(first, 'days').days >= MAX_DAYS)
    return { problem: `Look at no more than ${MAX_DAYS} days at once.` };
  return { from: DateTime.max(first, now.startOf('minute')), to };
}

function dayOf(text: unknown, { zone }: DateTime): DateTime {
  return DateTime.fromFormat(String(text).trim(), DAY, { zone });
}

function dayName(day: DateTime): string {
  return day.toFormat(`cccc ${DAY}`, { locale: 'en' });
}

/** Free times by day, as short as a model can still read them. */
function freeDays(times: readonly DateTime[]): Record<string, unknown> {
  const free = new Map<string, string[]>();
  for (const time of times.slice(0, MAX_TIMES)) {
    const day = dayName(time);
    free.set(day, [...(free.get(day) ?? []), time.toFormat('HH:mm')]);
  }
  const note =
    times.length === 0
      ? 'No time is free in these days.'
      : times.length > MAX_TIMES
        ? 'There are more times later; ask for later days to see them.'
        : null;
  return { free: Object.fromEntries(free), ...(note === null ? {} : { note }) };
}

function startOf(text: string, timezone: string): { readonly time: DateTime } | { readonly problem: string } {
  const iso = text.trim().replace(' ', 'T');
  // A time with an offset keeps its moment; one without is in the assistant's time zone.
  const time = LOCAL_TIME.test(iso)
    ? DateTime.fromISO(iso, { zone: timezone })
    : DateTime.invalid('not a time');
  if (!time.isValid) return { problem: 'Give the start as YYYY-MM-DDTHH:MM.' };
  const now = DateTime.now().setZone(timezone);
  return time > now ? { time } : { problem: `That time has passed; today is ${dayName(now)}.` };
}
