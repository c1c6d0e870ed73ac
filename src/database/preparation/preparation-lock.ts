import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.js';
import { withPreparationClient } from './preparation-client.js';

const POLL_MS = 100;
const NOTICE_AFTER_MS = 2_000;
/** Longer than migrations of a large database take. */
const LIMIT_MS = 30 * 60_000;

/** Another process prepares the database and does not come to an end. Its message is the whole sentence for the operator. */
export class PreparationTimeoutError extends Error {
  override readonly name = 'PreparationTimeoutError';
}

export interface Preparation {
  readonly databaseUrl: string;
  /** Takes a sentence when the wait is long. */
  readonly say: (line: string) => void;
  /** Takes a sentence when the work goes on in spite of something; `say` takes it when this is not given. */
  readonly warn?: (line: string) => void;
  /** Takes a line when a step begins. */
  readonly progress?: (line: string) => void;
  /** Half an hour when not given. */
  readonly limitMs?: number;
}

/**
 * Runs work that only one process at a time may do to a database: migrations, and what a first start makes. The lock ends
 * with its connection, so with a process that dies. It is not to be taken twice by nested work.
 *
 * @throws PreparationTimeoutError when others have it for too long
 */
export function whilePreparing<T>(
  { databaseUrl, say, limitMs = LIMIT_MS }: Preparation,
  work: () => Promise<T>,
): Promise<T> {
  return withPreparationClient(
    databaseUrl,
    async (client) => {
      await take(client, say, limitMs);
      return work();
    },
    { keepAlive: true },
  );
}

/** Polls: a session that waits for a lock has a snapshot, for which CREATE INDEX CONCURRENTLY would wait in turn. */
async function take(client: Client, say: Preparation['say'], limitMs: number): Promise<void> {
  const startedAtMs = performance.now();
  let isReported = false;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      ADVISORY_LOCKS.preparation,
    ]);
    if (rows[0]?.taken) return;
    const waitedMs = performance.now() - startedAtMs;
    if (waitedMs > limitMs) throw timeout(limitMs);
    if (waitedMs > NOTICE_AFTER_MS && !isReported) {
      isReported = true;
      say('Another Prosa is preparing the database: waiting for it…');
    }
    await sleep(POLL_MS);
  }
}

function timeout(limitMs: number): PreparationTimeoutError {
  return new PreparationTimeoutError(
    `Another Prosa has been preparing the database for more than ${Math.round(limitMs / 60_000)} minutes: see what it does, ` +
      'end it if it hangs, and start again.',
  );
}
