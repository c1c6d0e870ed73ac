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

/**
 * The content of a message: text, or a list of parts, of which those that are thoughts, images or references are no text.
 * Anything else is malformed.
 */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isRecord(content) ? partText(content) : stringOf(content);
  return content.map((part) => (typeof part === 'string' ? part : partText(part))).join('');
}

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'output_text', undefined, null]);

function partText(part: unknown): string {
  if (!isRecord(part)) throw new ModelError('malformed');
  const { type, text, refusal } = part;
  if (type === 'refusal') return stringOf(refusal);
  if (!TEXT_PARTS.has(type)) return '';
  if (isRecord(text)) return stringOf(text['value']);
  if (text === undefined && type === undefined) throw new ModelError('malformed');
  return stringOf(text);
}
