import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { HAS_LINE } from '../active-calls/line-conditions.js';
import type { WebCall } from './web-call.entity.js';

/** Visitors' calls of one assistant that have a line. */
export interface VisitorCalls {
  readonly ofAssistant: number;
  readonly ofAddress: number;
}

/** What a token is good for. */
export interface Redemption {
  /** The carrier's key of the call. */
  readonly attemptId: string;
  /** The browser connects for the first time. */
  readonly isFirst: boolean;
  readonly userId: number;
  readonly assistantId: number;
  /** A hash of the visitor's address; null for the owner. */
  readonly visitor: string | null;
}

@Injectable()
export class WebCallsRepository {
  constructor(private readonly database: Database) {}

  async add(
    { callId, assistantId, tokenHash, visitor }: Omit<WebCall, 'expiresAt' | 'redeemedAt'>,
    livesSeconds: number,
    tx: Tx,
  ): Promise<Date> {
    const [row] = await this.database.query<{ expiresAt: Date }>(
      `INSERT INTO web_calls (call_id, assistant_id, token_hash, visitor, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING expires_at AS "expiresAt"`,
      [callId, assistantId, tokenHash, visitor, livesSeconds],
      tx,
    );
    if (!row) throw new Error('no token was stored');
    return row.expiresAt;
  }

  async countOpen(assistantId: number, visitor: string, tx: Tx): Promise<VisitorCalls> {
    const [row] = await this.database.query<VisitorCalls>(
      `SELECT count(*)::integer AS "ofAssistant", count(*) FILTER (WHERE visitor = $2)::integer AS "ofAddress"
       FROM web_calls JOIN active_calls active USING (call_id)
       WHERE assistant_id = $1 AND visitor IS NOT NULL AND ${HAS_LINE}`,
      [assistantId, visitor],
      tx,
    );
    return row ?? { ofAssistant: 0, ofAddress: 0 };
  }

  /** Whether the call waits for its customer or is in progress. */
  isOpen(callId: number): Promise<boolean> {
    return this.database.matches(`SELECT 1 FROM active_calls WHERE call_id = $1 AND stage <> 'evaluating'`, [
      callId,
    ]);
  }

  /** Whether a web call whose token is still good waits to be placed; null when there is no such call, or it is over. */
  findAwaited(callId: number): Promise<{ readonly isWaiting: boolean } | null> {
    return this.database.first<{ isWaiting: boolean }>(
      `SELECT stage = 'waiting' AS "isWaiting" FROM web_calls JOIN active_calls USING (call_id)
       WHERE call_id = $1 AND stage <> 'evaluating' AND (redeemed_at IS NOT NULL OR expires_at > now())`,
      [callId],
    );
  }

  /** Null when the token is not that of the call, came too late, or the call is over. */
  redeem(callId: number, tokenHash: Buffer, tx: Tx): Promise<Redemption | null> {
    return this.database.first<Redemption>(
      `WITH token AS (
         SELECT web_calls.call_id, attempt_id, redeemed_at, calls.user_id
         FROM web_calls JOIN active_calls USING (call_id) JOIN calls ON calls.id = web_calls.call_id
         WHERE web_calls.call_id = $1 AND token_hash = $2 AND stage <> 'evaluating'
           AND (redeemed_at IS NOT NULL OR expires_at > now())
         FOR UPDATE OF web_calls)
       UPDATE web_calls SET redeemed_at = coalesce(web_calls.redeemed_at, now())
       FROM token WHERE web_calls.call_id = token.call_id
       RETURNING token.attempt_id AS "attemptId", token.redeemed_at IS NULL AS "isFirst", token.user_id AS "userId",
         web_calls.assistant_id AS "assistantId", web_calls.visitor`,
      [callId, tokenHash],
      tx,
    );
  }
}
