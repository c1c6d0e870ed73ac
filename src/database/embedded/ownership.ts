import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADVISORY_LOCK_CLASSES } from '../advisory-locks.js';
import { connectAdmin, type AdminAccess } from './admin-connection.js';

const LOCK = [ADVISORY_LOCK_CLASSES.embeddedServer, 1] as const;
const ATTEMPTS = 10;
const PAUSE_MS = 100;

/**
 * The right to run and stop a cluster's server, held by one process: an advisory lock of a session in that server.
 * A lock file with a process number goes stale when its maker is killed, and lies when the number is used again or
 * seen from another container. A session ends with its process, whatever ends it.
 */
export class Ownership {
  #released = false;

  private constructor(
    private readonly session: Client,
    private readonly onLost: () => void,
  ) {
    session.once('end', () => {
      if (!this.#released) this.onLost();
    });
  }

  /**
   * @param onLost called once when the session ends before `release`: the server is gone or restarting.
   * @returns the present owner's name when there is one.
   */
  static async claim(access: AdminAccess, onLost: () => void): Promise<Ownership | { owner: string }> {
    const session = await connectAdmin(access, 'postgres', `process ${process.pid}`);
    try {
      // The session of a process killed a moment ago may still be about to notice.
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { rows } = await session.query<{ taken: boolean }>(
          'select pg_try_advisory_lock($1, $2) as taken',
          [...LOCK],
        );
        if (rows[0]?.taken) return new Ownership(session, onLost);
        await sleep(PAUSE_MS);
      }
      const owner = await findOwner(session);
      await session.end();
      return { owner };
    } catch (error) {
      await session.end().catch(() => undefined);
      throw error;
    }
  }

  /** To be called before the server is stopped. The lock itself goes with the server, so that nobody takes it in between. */
  release(): void {
    this.#released = true;
  }

  async close(): Promise<void> {
    this.release();
    await this.session.end();
  }
}

async function findOwner(session: Client): Promise<string> {
  const { rows } = await session.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and l.objsubid = 2`,
    [...LOCK],
  );
  return rows[0]?.name ?? 'unknown process';
}
