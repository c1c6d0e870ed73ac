import { isRecord } from './wire-value.js';

/** Of one answer; what is beyond is left out. */
const MAX_CHARS = 1_000_000;
const MAX_ITEMS = 1_000;

/** Fields of a message or a call that the port has a place for, or that say nothing to be sent back. */
const PORT_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'annotations',
  'index',
  'id',
  'type',
  'function',
  'name',
  'arguments',
]);

/**
 * Joins what a server sends in the deltas of a message, or of a call, beyond the fields of OpenAI: text is added to text,
 * lists to lists, whose items may go on in another delta under the same index.
 */
export class ProviderFieldsAssembler {
  private readonly fields = new Map<string, unknown>();
  private chars = 0;

  accept(part: Readonly<Record<string, unknown>>): void {
    for (const key in part) {
      const value = part[key];
      if (value === null || value === undefined || PORT_FIELDS.has(key)) continue;
      this.chars += typeof value === 'string' ? value.length : 100;
      if (this.chars <= MAX_CHARS) this.fields.set(key, merged(this.fields.get(key), value));
    }
  }

  /** Undefined where there are none. */
  take(): Readonly<Record<string, unknown>> | undefined {
    const filled = [...this.fields].filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    );
    return filled.length === 0 ? undefined : Object.fromEntries(filled);
  }
}

function merged(known: unknown, more: unknown): unknown {
  if (typeof known === 'string' && typeof more === 'string') return known + more;
  if (Array.isArray(known) && Array.isArray(more)) return withItems(known, more);
  if (isRecord(known) && isRecord(more)) return { ...known, ...more };
  return more;
}

/** OpenRouter sends `reasoning_details` in pieces: the text of an item comes in several, its signature in the last. */
function withItems(known: unknown[], more: readonly unknown[]): unknown[] {
  for (const item of more) {
    const last = known.at(-1);
    if (isContinued(last, item)) known[known.length - 1] = continued(last, item);
    else if (known.length < MAX_ITEMS) known.push(item);
  }
  return known;
}

/** Of an item; its other fields are the same in each piece. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking']);

type Item = Readonly<Record<string, unknown>>;

function isContinued(last: unknown, item: unknown): last is Item {
  if (!isRecord(last) || !isRecord(item)) return false;
  return (
    typeof item['index'] === 'number' && last['index'] === item['index'] && last['type'] === item['type']
  );
}

function continued(last: Item, item: unknown): Item {
  const joined: Record<string, unknown> = { ...last };
  for (const [key, value] of Object.entries(isRecord(item) ? item : {})) {
    if (value === null || value === undefined) continue;
    const before = joined[key];
    const isContinued = TEXT_FIELDS.has(key) && typeof before === 'string' && typeof value === 'string';
    joined[key] = isContinued ? before + value : value;
  }
  return joined;
}
