import { DateTime } from 'luxon';
import { LRUCache } from 'lru-cache';
import { isVariableName, overriddenBy, VariableNames } from './variable-names.js';

/** Values for `{{name}}` placeholders. Other values than texts are written as text. */
export type Variables = Readonly<Record<string, unknown>>;

/** What the platform knows by itself. */
export interface SystemVariableSource {
  readonly assistantId: number;
  readonly assistantName: string;
  /** IANA name; dates and times are written in it. */
  readonly timezone: string;
  readonly customerPhone?: string | null;
  readonly assistantPhone?: string | null;
  readonly now: Date;
}

/**
 * For expressions with the flag `u`: anything between two braces, which may be the name of a variable. Names are those of
 * columns and in the language of the author of the prompt: `{{endereço}}`, `{{Valor (R$)}}`.
 */
export const VARIABLE_PLACEHOLDER = String.raw`\{\{([^{}\\]{1,240})\}\}`;

const PLACEHOLDER = new RegExp(VARIABLE_PLACEHOLDER, 'gu');
/** The same with the braces, and no other group. */
const WHOLE_PLACEHOLDER = /(\{\{[^{}\\]{1,240}\}\})/u;

/** A long value named a thousand times would otherwise fill the memory. */
export const MAX_FILLED_LENGTH = 256 * 1024;

/**
 * Replaces each `{{name}}`; an unknown name becomes empty, and what is no name stays. A name is found as it is spelled,
 * else without regard to case, accents, blanks and signs. Values are not searched for placeholders again. Once 256 Ki
 * characters have been filled in, values are cut.
 */
export function fillPlaceholders(template: string, variables: Variables): string {
  const names = new VariableNames(variables);
  let room = MAX_FILLED_LENGTH;
  return template.replace(PLACEHOLDER, (whole, written: string) => {
    const name = written.trim();
    const found = names.find(name);
    if (found === null) return isVariableName(name) ? '' : whole;
    const text = textOf(variables[found]).slice(0, room);
    room -= text.length;
    return text;
  });
}

/** A text split at its placeholders in double braces: texts and placeholders in turn, a text first and last. */
export function splitByPlaceholders(template: string): {
  readonly texts: readonly string[];
  readonly placeholders: readonly string[];
} {
  const parts = template.split(WHOLE_PLACEHOLDER);
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    placeholders: parts.filter((_, at) => at % 2 === 1),
  };
}

/** Names that a text asks for, each once, as they are spelled first. */
export function placeholdersIn(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, written = '']) => written.trim());
  return [...new Set(names.filter(isVariableName))];
}

/** What the platform alone says. The customer's number is left out: in a chat it does not know any. */
export const PLATFORM_VARIABLES: readonly string[] = [
  'assistant_phone',
  'assistant_id',
  'assistant_name',
  'current_date',
  'current_time',
];

/** All that has a value in a call without anybody giving one. */
export const CALL_VARIABLES: readonly string[] = [...PLATFORM_VARIABLES, 'customer_phone'];

export function systemVariables(source: SystemVariableSource): Variables {
  const { date, time } = wallClock(source.timezone, source.now);
  return {
    customer_phone: source.customerPhone ?? '',
    assistant_phone: source.assistantPhone ?? '',
    assistant_id: source.assistantId,
    assistant_name: source.assistantName,
    current_date: date,
    current_time: time,
  };
}

const MS_PER_MINUTE = 60_000;
/** The last minute formatted in each time zone: every turn asks for it, and formatting is slow. */
const lastMinutes = new LRUCache<string, { minute: number; date: string; time: string }>({ max: 500 });

function wallClock(timezone: string, at: Date): { readonly date: string; readonly time: string } {
  const minute = Math.floor(at.getTime() / MS_PER_MINUTE);
  const last = lastMinutes.get(timezone);
  if (last?.minute === minute) return last;
  const now = DateTime.fromJSDate(at, { zone: timezone });
  const formatted = { minute, date: now.toFormat('yyyy-MM-dd'), time: now.toFormat('HH:mm') };
  lastMinutes.set(timezone, formatted);
  return formatted;
}

/** Later sources win: system, then assistant, then lead, call or conversation. */
export function mergeVariables(...sources: readonly (Variables | null | undefined)[]): Variables {
  return Object.assign(Object.create(null) as Record<string, unknown>, ...sources) as Variables;
}

/** The defaults of an assistant under the values of one conversation, call or lead, which win in any spelling. */
export function withDefaults(defaults: Variables, given: Variables): Variables {
  return mergeVariables(overriddenBy(defaults, given), given);
}

/** A value as it is written into a prompt, a URL or a header. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
