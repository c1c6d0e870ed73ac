import { storableText } from './storable-text.js';

/** Deeper values exceed the stack of the readers and writers of JSON. */
const MAX_LEVELS = 32;

/**
 * A copy that PostgreSQL accepts in jsonb.
 *
 * @param beyond what replaces an object or array below 32 levels; it may throw
 */
export function storableObject(object: object, beyond: () => unknown): Record<string, unknown> {
  return copyOf(object, 1, beyond);
}

function copyOf(object: object, level: number, beyond: () => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [storableText(name), storable(value, level + 1, beyond)]),
  );
}

function storable(value: unknown, level: number, beyond: () => unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAX_LEVELS) return beyond();
  return Array.isArray(value)
    ? value.map((item) => storable(item, level + 1, beyond))
    : copyOf(value, level, beyond);
}
