import { Injectable } from '@nestjs/common';
import { Database } from '../../../../database/database.js';
import type { Tx } from '../../../../database/transactions.js';
import type { DialOutcome } from './dial-attempt.entity.js';
import type { RetryRules } from '../next-step.js';

/** An attempt that is being sent, or was when its process died. */
export interface SendingAttempt {
  readonly id: string;
  readonly userId: number;
  readonly campaignId: number | null;
  readonly leadId: number | null;
  readonly callId: number;
}

/** A live attempt with what decides what comes after it. */
export interface LiveAttempt {
  readonly id: string;
  readonly userId: number;
  readonly leadId: number | null;
  readonly number: number;
  /** Somebody is about to ask the carrier, or does not know its answer. */
  readonly isSending: boolean;
  /** Name of the carrier that it was called through. */
  readonly carrier: string;
  readonly campaign:
    | (RetryRules & {
        readonly id: number;
        readonly retryIntervalMinutes: number;
        readonly goalCompletionVariable: string | null;
        /** Whether it ends by itself when nobody is left. */
        readonly completes: boolean;
      })
    | null;
}

const SENDING = `a.id, a.user_id AS "userId", a.campaign_id AS "campaignId", a.lead_id AS "leadId", a.call_id AS "callId"`;

/** What becomes of attempts. */
@Injectable()
export class DialAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** The carrier has the call; its end settles the attempt, and may have done so already. True when it has failed since. */
  async markInCall(id: string): Promise<boolean> {
    const [row] = await this.database.query<{ failed: boolean }>(
      `UPDATE dial_attempts SET state = 'in-call' WHERE id = $1 AND state = 'dialing'
       RETURNING EXISTS (SELECT FROM calls WHERE id = call_id AND status = 'failed') AS failed`,
      [id],
    );
    return row?.failed ?? false;
  }

  /** Attempts whose sender has had its time, oldest first. */
  findOverdue(limit: number): Promise<SendingAttempt[]> {
    return this.database.query<SendingAttempt>(
      `SELECT ${SENDING} FROM dial_attempts a
       WHERE a.state = 'dialing' AND a.state <> 'settled' AND a.lease_until < now() AND a.call_id IS NOT NULL
       ORDER BY a.lease_until LIMIT $1`,
      [limit],
    );
  }

  async isSending(id: string): Promise<boolean> {
    const rows = await this.database.query("SELECT FROM dial_attempts WHERE id = $1 AND state = 'dialing'", [
      id,
    ]);
    return rows.length > 0;
  }

  /** Calls that are over although their attempt is not settled. */
  async findEndedCalls(limit: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `SELECT k.id FROM dial_attempts a JOIN calls k ON k.id = a.call_id
       WHERE a.state <> 'settled' AND (k.status IN ('completed', 'busy', 'no-answer')
         OR (k.status = 'failed' AND a.state = 'in-call')) LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Running campaigns that are to complete and have nobody left: whoever was about to complete them has died. */
  findExhausted(limit: number): Promise<{ id: number; userId: number }[]> {
    return this.database.query(
      `SELECT c.id, c.user_id AS "userId" FROM campaigns c
       WHERE c.status = 'in-progress' AND c.mark_complete_when_no_leads
         AND NOT EXISTS (SELECT FROM lead_dials d WHERE d.campaign_id = c.id AND d.state = 'waiting')
         AND NOT EXISTS (SELECT FROM lead_dials d WHERE d.campaign_id = c.id AND d.state = 'calling')
       LIMIT $1`,
      [limit],
    );
  }

  /** Null when the call is no attempt's, or its attempt is settled. */
  async lockLive(callId: number, tx: Tx): Promise<LiveAttempt | null> {
    const [row] = await this.database.query<LiveAttempt>(
      `SELECT a.id, a.user_id AS "userId", a.lead_id AS "leadId", a.number,
         a.state = 'dialing' AS "isSending",
         (SELECT coalesce(c.carrier, '') FROM calls c WHERE c.id = a.call_id) AS carrier,
         (SELECT jsonb_build_object('id', c.id, 'maxRetries', c.max_retries, 'retryOnVoicemail', c.retry_on_voicemail,
            'retryOnGoalIncomplete', c.retry_on_goal_incomplete, 'retryIntervalMinutes', c.retry_interval_minutes,
            'goalCompletionVariable', c.goal_completion_variable, 'completes', c.mark_complete_when_no_leads)
          FROM campaigns c WHERE c.id = a.campaign_id) AS campaign
       FROM dial_attempts a WHERE a.call_id = $1 AND a.state <> 'settled' FOR UPDATE OF a`,
      [callId],
      tx,
    );
    return row ?? null;
  }

  async settle(id: string, outcome: DialOutcome, tx: Tx): Promise<void> {
    await this.database.query(
      "UPDATE dial_attempts SET state = 'settled', outcome = $2, settled_at = now() WHERE id = $1",
      [id, outcome],
      tx,
    );
  }

  /** The lead is due since when it was before. */
  async withdraw(id: string, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH withdrawn AS (DELETE FROM dial_attempts WHERE id = $1 AND state = 'dialing' RETURNING lead_id, number)
       SELECT move_lead_dials('waiting', ARRAY[lead_id], ARRAY[number - 1]::smallint[]) FROM withdrawn`,
      [id],
      tx,
    );
  }

  /** Deletes up to `limit` attempts that were settled so long ago; returns how many. */
  async removeSettled(ageMs: number, limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM dial_attempts WHERE id IN (
         SELECT id FROM dial_attempts WHERE state = 'settled' AND settled_at < now() - $1 * interval '1 ms'
         ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [ageMs, limit],
    );
    return rows.length;
  }
}
