import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const at = z.number();
const callId = z.string();

const recordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('dial'),
    callId,
    key: z.string(),
    from: z.string(),
    to: z.string(),
    ringingTimeoutMs: z.number(),
    at,
  }),
  /** The key was sent again, and nothing was dialled. */
  z.object({ type: z.literal('repeat'), callId, key: z.string(), at }),
  z.object({ type: z.literal('offer'), callId, from: z.string(), to: z.string(), at }),
  z.object({ type: z.literal('answer'), callId, at }),
  /** The customer was transferred, and talks with the far end. */
  z.object({ type: z.literal('connect'), callId, at }),
  z.object({
    type: z.literal('end'),
    callId,
    outcome: z.enum(['hung-up', 'busy', 'no-answer', 'failed']),
    by: z.enum(['customer', 'platform', 'carrier']),
    reason: z.string().nullable(),
    answeredBy: z.enum(['human', 'machine']).nullable(),
    answeredMs: z.number(),
    at,
  }),
]);

/** What the sandbox carrier has done; `at` is real time, in milliseconds since 1970. */
export type SandboxRecord = z.output<typeof recordSchema>;

/** The memory of a sandbox carrier: records are only ever added. */
export interface SandboxJournal {
  append(record: SandboxRecord): void;
  /** The records nobody has read here yet: at first all, then those of other processes and perhaps our own. */
  readNew(): SandboxRecord[];
  close(): void;
}

/** Forgets when the process ends. */
export class MemoryJournal implements SandboxJournal {
  readonly records: SandboxRecord[] = [];

  append(record: SandboxRecord): void {
    this.records.push(record);
  }

  readNew(): SandboxRecord[] {
    return [];
  }

  close(): void {
    // Nothing is held.
  }
}

/**
 * A file of one JSON object a line. Each record is one write at the end of the file, so that several processes may share
 * it, and a process that is killed leaves whole lines.
 */
export class FileJournal implements SandboxJournal {
  private file: number | null = null;
  private position = 0;

  constructor(private readonly path: string) {}

  append(record: SandboxRecord): void {
    appendFileSync(this.open(), `${JSON.stringify(record)}\n`);
  }

  readNew(): SandboxRecord[] {
    const file = this.open();
    const { size } = fstatSync(file);
    if (size <= this.position) return [];
    const bytes = Buffer.alloc(size - this.position);
    const length = readSync(file, bytes, 0, bytes.length, this.position);
    const end = bytes.subarray(0, length).lastIndexOf('\n') + 1;
    this.position += end;
    return parseJournal(bytes.toString('utf8', 0, end));
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private open(): number {
    if (this.file === null) {
      mkdirSync(dirname(this.path), { recursive: true });
      this.file = openSync(this.path, 'a+');
    }
    return this.file;
  }
}

/** A line that is no record was cut by a failing disk or machine, and tells of a call nobody was told of. */
export function parseJournal(text: string): SandboxRecord[] {
  return text.split('\n').flatMap((line) => {
    const { success, data } = recordSchema.safeParse(jsonOf(line));
    return success ? [data] : [];
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
