import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../database.js';

/**
 * How long a migration waits for a table, in milliseconds. Later statements wait behind it. Running processes of the release
 * before would lose a deadlock with it after a second (`deadlock_timeout`).
 */
const LOCK_WAIT_MS = 300;
/** Statements of a release are short: a table is free at some time within minutes. */
const MAX_TRIES = 600;
const PAUSE_MS = 200;

/** Of a connection that migrates. */
export const SHORT_LOCK_WAIT = { lock_timeout: LOCK_WAIT_MS } as const;

/**
 * Runs migrations on connections with {@link SHORT_LOCK_WAIT} until they have had their tables.
 *
 * @param migrateOnce undoes what it has not finished when it fails
 */
export async function untilTablesAreFree<T>(migrateOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce();
    } catch (error) {
      if (attempt >= MAX_TRIES || !isLockTimeout(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
