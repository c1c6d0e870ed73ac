import { ModelError } from '../model-error.js';

/** Readers for JSON of which nothing is known but that it should follow the chat-completions format. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent and null are empty; anything else that is no array is malformed. */
export function arrayOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new ModelError('malformed');
  return value;
}

/** Absent and null are empty; anything else that is no string is malformed. */
export function stringOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new ModelError('malformed');
  return value;
}
