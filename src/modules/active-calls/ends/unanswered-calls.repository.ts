import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { UnansweredEnd } from './unanswered-end.js';

/** Ends unanswered calls whose end causes no webhook. */
@Injectable()
export class UnansweredCallsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Moves calls of one account to their last state, gives back their money and forgets what they needed, in one statement.
   * Leaves alone calls that the token does not hold (any more), or that are not in the state their move begins with.
   * It also leaves those whose end may cause a webhook. The commit does not wait for the disk: it charges nothing and
   * sends nothing. After a crash of the database the sweep repeats it.
   *
   * @returns the ids of those that have ended
   */
  async end(userId: number, ends: readonly UnansweredEnd[]): Promise<Set<number>> {
    const rows = await this.database.writePrepared<{ id: number }>(
      `WITH given AS (
         SELECT * FROM unnest($2::int[], $3::uuid[], $4::text[], $5::text[], $6::boolean[])
           AS given (call_id, token, was, becomes, in_doubt)),
       ending AS MATERIALIZED (
         SELECT given.* FROM given JOIN calls call ON call.id = given.call_id
         WHERE call.user_id = $1 AND call.status = given.was
           AND NOT is_webhook_wanted($1, 'call.ended')
           AND NOT EXISTS (SELECT FROM assistants WHERE id = call.assistant_id
             AND ((config ->> 'is_webhook_active')::boolean OR config ->> 'inbound_webhook_url' IS NOT NULL))
         ORDER BY call.id FOR NO KEY UPDATE OF call),
       removed AS (
         DELETE FROM active_calls active USING ending
         WHERE active.call_id = ending.call_id AND active.stage <> 'evaluating'
           AND active.lease_token IS NOT DISTINCT FROM ending.token
         RETURNING active.call_id, active.hold_id),
       moved AS (
         UPDATE calls SET status = ending.becomes, ended_at = now(), updated_at = now(),
           dial_in_doubt = dial_in_doubt OR ending.in_doubt
         FROM ending JOIN removed USING (call_id) WHERE calls.id = ending.call_id)
       SELECT call_id AS id, void_hold(hold_id), set_config('synchronous_commit', 'off', true) FROM removed`,
      [
        userId,
        ends.map(({ callId }) => callId),
        ends.map(({ token }) => token),
        ends.map(({ move }) => move.from),
        ends.map(({ move }) => move.to),
        ends.map(({ isInDoubt }) => isInDoubt),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
