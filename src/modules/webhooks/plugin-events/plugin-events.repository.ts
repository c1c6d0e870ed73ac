import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { PluginListener } from './plugin-listener.js';

/** An event whose handler is about to run. */
export interface ClaimedEvent {
  readonly plugin: string;
  readonly kind: string;
  readonly eventId: string;
  readonly userId: number;
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
}

/** SQL: an event that one of the listeners handles; $2 and $3 are from {@link columnsOf}. */
const IS_HEARD = '(plugin, kind) IN (SELECT * FROM unnest($2::text[], $3::text[]))';

@Injectable()
export class PluginEventsRepository {
  constructor(private readonly database: Database) {}

  /** Events that wait for their plugin. */
  countWaiting(): Promise<number> {
    return this.database.count('SELECT count(*)::int AS count FROM plugin_events WHERE failed_at IS NULL');
  }

  /** Forgets them. */
  async dropWaiting(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM plugin_events WHERE failed_at IS NULL', [], tx);
  }

  /**
   * The ids of events that are due for one of the listeners, oldest first. They are due again after `againMs`, in case the
   * queue loses their jobs.
   */
  takeDue(listeners: readonly PluginListener[], limit: number, againMs: number): Promise<string[]> {
    return this.database.values<string>(
      `UPDATE plugin_events SET due_at = now() + make_interval(secs => $1::double precision / 1000)
       WHERE id IN (
         SELECT id FROM plugin_events WHERE failed_at IS NULL AND due_at <= now() AND ${IS_HEARD}
         ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
       RETURNING id::text`,
      [againMs, ...columnsOf(listeners), limit],
    );
  }

  /**
   * Counts an attempt. Null when the event was handled or erased, has failed for the last time, or is for none of the
   * listeners.
   */
  claim(id: string, listeners: readonly PluginListener[]): Promise<ClaimedEvent | null> {
    return this.database.first<ClaimedEvent>(
      `UPDATE plugin_events SET attempts = attempts + 1
       WHERE id = $1::bigint AND failed_at IS NULL AND ${IS_HEARD}
       RETURNING plugin, kind, event_id AS "eventId", user_id AS "userId", body, attempts`,
      [id, ...columnsOf(listeners)],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.query('DELETE FROM plugin_events WHERE id = $1::bigint', [id]);
  }

  /** @param againMs after which the sweep enqueues another job; null when no attempt is left */
  async markFailed(id: string, error: string, againMs: number | null): Promise<void> {
    await this.database.query(
      `UPDATE plugin_events SET last_error = $2,
         due_at = now() + make_interval(secs => coalesce($3::double precision, 0) / 1000),
         failed_at = CASE WHEN $3::double precision IS NULL THEN now() END
       WHERE id = $1::bigint`,
      [id, error, againMs],
    );
  }

  /** Returns how many were deleted, at most `limit`. */
  deleteFailed(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM plugin_events WHERE id IN (
         SELECT id FROM plugin_events
         WHERE failed_at < now() - make_interval(secs => $1::double precision / 1000) LIMIT $2)
       RETURNING 1`,
      [ageMs, limit],
    );
  }
}

function columnsOf(listeners: readonly PluginListener[]): [plugins: string[], kinds: string[]] {
  return [listeners.map(({ plugin }) => plugin), listeners.map(({ kind }) => kind)];
}
