import type { Pool } from 'pg';
import { STALLED_INTERVAL_MS } from '../workers/worker-options.js';

/** A job that has begun since is not stalled yet: it holds its lock for longer. */
const FRESH_MS = STALLED_INTERVAL_MS / 2;

/**
 * Which queues have jobs that run now, asked once for all workers of the process. A queue without any has no job whose
 * process has died, and the look for one writes two tables.
 */
export class ActiveQueues {
  private asked: { readonly atMs: number; readonly names: Promise<ReadonlySet<string>> } | null = null;

  /** @param pool on the schema of the queues */
  constructor(private readonly pool: Pool) {}

  /** May be wrong about what has begun within the last {@link FRESH_MS}. Rejects when the database cannot be asked. */
  async has(queue: string): Promise<boolean> {
    const nowMs = performance.now();
    if (!this.asked || nowMs - this.asked.atMs > FRESH_MS) {
      const names = this.ask();
      this.asked = { atMs: nowMs, names };
      // The present callers get the error; the next one asks anew.
      names.catch(() => (this.asked = null));
    }
    return (await this.asked.names).has(queue);
  }

  private async ask(): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ queue: string }>(
      "SELECT DISTINCT queue FROM job WHERE state = 'active'",
    );
    return new Set(rows.map(({ queue }) => queue));
  }
}
