import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, parse } from 'node:path';
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
  /** The records not read here yet: at first all, then those of other processes and perhaps our own. */
  readNew(): SandboxRecord[];
  close(): void;
}

/** For a carrier whose calls end with its process. */
export class NoJournal implements SandboxJournal {
  append(_record: SandboxRecord): void {
    // Nothing is kept.
  }

  readNew(): SandboxRecord[] {
    return [];
  }

  close(): void {
    // Nothing is held.
  }
}

/** Forgets when the process ends; for tests, which look at what was written. */
export class MemoryJournal extends NoJournal {
  readonly records: SandboxRecord[] = [];

  override append(record: SandboxRecord): void {
    this.records.push(record);
  }
}

/** A key is kept for seven days, which touch eight; two more for clocks that differ. */
const KEPT_SEGMENTS = 10;
const CHUNK_BYTES = 1_048_576;
const DAY_CHARACTERS = 'YYYY-MM-DD'.length;

/**
 * Files of one JSON object a line, one for each day of the records in it: `calls.jsonl` is the name of
 * `calls.2026-11-22.jsonl` and the other days. Each record is one write at the end of a file. Several processes may
 * therefore share the files, and a process that is killed leaves whole lines. A new day deletes all files but the
 * latest, and none is ever rewritten: a process that reads or writes needs no lock.
 */
export class FileJournal implements SandboxJournal {
  private readonly folder: string;
  private readonly name: string;
  private readonly extension: string;
  private readonly positions = new Map<string, number>();
  private current: { readonly segment: string; readonly file: number } | null = null;

  constructor(path: string) {
    const { dir, name, ext } = parse(path);
    this.folder = dir;
    this.name = name;
    this.extension = ext;
  }

  append(record: SandboxRecord): void {
    const day = new Date(record.at).toISOString().slice(0, DAY_CHARACTERS);
    appendFileSync(this.open(`${this.name}.${day}${this.extension}`), `${JSON.stringify(record)}\n`);
  }

  readNew(): SandboxRecord[] {
    return this.segments().flatMap((segment) => this.readSegment(segment));
  }

  close(): void {
    if (this.current) closeSync(this.current.file);
    this.current = null;
  }

  private open(segment: string): number {
    if (this.current?.segment === segment) return this.current.file;
    this.close();
    mkdirSync(this.folder, { recursive: true });
    const file = openSync(join(this.folder, segment), 'a');
    this.current = { segment, file };
    this.removeOld();
    return file;
  }

  /** Counts files instead of days, so that a clock that is wrong for a while deletes nothing that is needed. */
  private removeOld(): void {
    for (const segment of this.segments().slice(0, -KEPT_SEGMENTS)) {
      rmSync(join(this.folder, segment), { force: true });
      this.positions.delete(segment);
    }
  }

  /** The oldest first. */
  private segments(): string[] {
    if (!existsSync(this.folder)) return [];
    const length = this.name.length + 1 + DAY_CHARACTERS + this.extension.length;
    return readdirSync(this.folder)
      .filter(
        (file) => file.length === length && file.startsWith(`${this.name}.`) && file.endsWith(this.extension),
      )
      .sort();
  }

  private readSegment(segment: string): SandboxRecord[] {
    const path = join(this.folder, segment);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    let position = this.positions.get(segment) ?? 0;
    if (size <= position) return [];
    const records: SandboxRecord[] = [];
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(size - position, CHUNK_BYTES));
      for (;;) {
        const length = readSync(file, bytes, 0, bytes.length, position);
        const end = bytes.subarray(0, length).lastIndexOf('\n') + 1;
        if (end === 0) break;
        for (const record of parseJournal(bytes.toString('utf8', 0, end))) records.push(record);
        position += end;
      }
    } finally {
      closeSync(file);
    }
    this.positions.set(segment, position);
    return records;
  }
}

/** A line that is no record was cut by a failing disk or machine: its call was never reported. */
function parseJournal(text: string): SandboxRecord[] {
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
