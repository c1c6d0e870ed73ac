import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** SQL: the call named `active`, with its record `call`, is forwarded to another number. */
const IS_FORWARD = `active.without_line AND active.stage <> 'evaluating' AND call.routing->>'action' = 'forward'`;

/** Calls under way that a routing forwards. */
@Injectable()
export class ForwardsRepository {
  constructor(private readonly database: Database) {}

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.count(
      `SELECT count(*)::int AS count FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE active.user_id = $1 AND ${IS_FORWARD}`,
      [userId],
      tx,
    );
  }

  /**
   * Whether one is placed by one of these accounts, or to this number.
   *
   * @param to E.164
   */
  exists(userIds: readonly number[], to: string): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE ${IS_FORWARD} AND (active.user_id = ANY($1::int[]) OR call.routing->>'forwardedTo' = $2) LIMIT 1`,
      [userIds, to],
    );
  }
}
