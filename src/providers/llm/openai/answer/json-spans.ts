import { JsonTracker } from './json-tracker.js';

/** Readers for JSON within other text, which keep every digit: nothing is parsed that can be copied. */

/**
 * Where the JSON object or list that begins at `at` ends.
 *
 * @returns -1 where the text ends first
 */
export function jsonEnd(text: string, at: number): number {
  const end = new JsonTracker().accept(text.slice(at));
  return end === -1 ? -1 : at + end;
}

/** The members of an object as they are written; null where it is no JSON object. */
export function membersOf(json: string): ReadonlyMap<string, string> | null {
  if (!isJsonObject(json)) return null;
  const members = new Map<string, string>();
  let index = json.indexOf('{') + 1;
  for (;;) {
    const keyAt = json.indexOf('"', index);
    if (keyAt === -1) return members;
    const keyEnd = stringEnd(json, keyAt);
    const valueAt = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const valueEnd = endOfValue(json, valueAt);
    members.set(String(JSON.parse(json.slice(keyAt, keyEnd))), json.slice(valueAt, valueEnd).trim());
    index = valueEnd + 1;
    if (json.charAt(skipSpace(json, valueEnd)) === '}') return members;
  }
}

export function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function isJson(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** The text of a JSON string; null for anything else. */
export function stringIn(json: string | undefined): string | null {
  if (json === undefined || !json.startsWith('"')) return null;
  const value: unknown = isJson(json) ? JSON.parse(json) : null;
  return typeof value === 'string' ? value : null;
}

function endOfValue(json: string, at: number): number {
  const char = json.charAt(at);
  if (char === '"') return stringEnd(json, at);
  if (char === '{' || char === '[') return jsonEnd(json, at);
  let index = at;
  while (index < json.length && !',}]'.includes(json.charAt(index))) index++;
  return index;
}

/** Behind the closing quote; -1 where there is none. */
function stringEnd(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') index++;
    else if (char === '"') return index + 1;
  }
  return -1;
}

function skipSpace(text: string, at: number): number {
  let index = at;
  while (/\s/.test(text.charAt(index))) index++;
  return index;
}
