import { Injectable } from '@nestjs/common';
import { Database } from '#src/database/database.js';
import type { Tx } from '#src/database/transactions.js';
import type { DialOutcome } from './dial-attempt.entity.js';
import type { LeadStep, RetryRules } from '../outcomes/next-step.js';

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
  readonly callId: number;
  readonly leadId: number | null;
  readonly number: number;
  /** Null when it was deleted. */
  readonly call: {
    readonly status: string;
    readonly answeredBy: string;
    /** The carrier cannot say whether it dialled. */
    readonly dialInDoubt: boolean;
    readonly evaluation: Readonly<Record<string, unknown>>;
    /** Name of the carrier that it was called through. */
    readonly carrier: string;
  } | null;
  /**
   * The campaign whose rules decide: its own, or the one that its lead was moved to where its own was deleted. Null
   * when the lead has been deleted as well.
   */
  readonly campaign:
    | (RetryRules & {
        readonly id: number;
        readonly retryIntervalMinutes: number;
        readonly goalCompletionVariable: string | null;
        /** Whether it ends by itself when no lead is left. */
        readonly completes: boolean;
      })
    | null;
}

/** What an attempt came to, and what its lead does next. */
export interface Settlement {
  readonly attemptId: string;
  readonly outcome: DialOutcome;
  /** Null where the lead or the campaign is gone. */
  readonly step: LeadStep | null;
  /** Before a retry. */
  readonly waitMs: number | null;
}

const SENDING = `a.id, a.user_id AS "userId", a.campaign_id AS "campaignId", a.lead_id AS "leadId", a.call_id AS "callId"`;

/** What becomes of attempts. */
@Injectable()
export class DialAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** Attempts whose sender has had its time, oldest first. A call that the carrier has is looked after as a call. */
  findOverdue(limit: number): Promise<SendingAttempt[]> {
    return this.database.query<SendingAttempt>(
      `SELECT ${SENDING} FROM dial_attempts a
       WHERE a.state = 'dialing' AND a.state <> 'settled' AND a.lease_until < now() AND a.call_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM active_calls WHERE call_id = a.call_id AND stage IN ('open', 'evaluating'))
       ORDER BY a.lease_until LIMIT $1`,
      [limit],
    );
  }

  isSending(id: string): Promise<boolean> {
    return this.database.matches("SELECT FROM dial_attempts WHERE id = $1 AND state = 'dialing'", [id]);
  }

  /** Calls that are over although their attempt is not settled. */
  findEndedCalls(limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT k.id FROM dial_attempts a JOIN calls k ON k.id = a.call_id
       WHERE a.state <> 'settled' AND k.status IN ('completed', 'busy', 'no-answer', 'failed') LIMIT $1`,
      [limit],
    );
  }

  /**
   * Running campaigns that should be completed and have no leads left: the process that was to complete them has
   * died.
   */
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

  /** Keeps the attempt of a call from being settled or withdrawn until the transaction ends. Null when that has happened. */
  lockLive(callId: number, tx: Tx): Promise<Pick<LiveAttempt, 'id'> | null> {
    return this.database.first<Pick<LiveAttempt, 'id'>>(
      "SELECT id FROM dial_attempts WHERE call_id = $1 AND state <> 'settled' FOR UPDATE",
      [callId],
      tx,
    );
  }

  /** The attempts of those calls that are not settled. */
  findLive(callIds: readonly number[]): Promise<LiveAttempt[]> {
    return this.database.readPrepared<LiveAttempt>(
      `SELECT a.id, a.user_id AS "userId", a.call_id AS "callId", a.lead_id AS "leadId", a.number,
         (SELECT jsonb_build_object('status', k.status, 'answeredBy', k.answered_by, 'dialInDoubt', k.dial_in_doubt,
            'evaluation', k.evaluation, 'carrier', coalesce(k.carrier, ''))
          FROM calls k WHERE k.id = a.call_id) AS call,
         (SELECT jsonb_build_object('id', c.id, 'maxRetries', c.max_retries, 'retryOnVoicemail', c.retry_on_voicemail,
            'retryOnGoalIncomplete', c.retry_on_goal_incomplete, 'retryIntervalMinutes', c.retry_interval_minutes,
            'goalCompletionVariable', c.goal_completion_variable, 'completes', c.mark_complete_when_no_leads)
          FROM campaigns c
          WHERE c.id = coalesce(a.campaign_id, (SELECT l.campaign_id FROM leads l WHERE l.id = a.lead_id))) AS campaign
       FROM dial_attempts a WHERE a.call_id = ANY($1::int[]) AND a.state <> 'settled'`,
      [callIds],
    );
  }

  /**
   * Settles attempts of one account and moves their leads on, in one statement; those that are settled already are left
   * alone. Returns the ids of the others. The commit does not wait for the disk: what a crash of the database undid, the
   * sweep does again, as the calls say.
   */
  async settle(settlements: readonly Settlement[]): Promise<Set<string>> {
    const [row] = await this.database.writePrepared<{ ids: string[] | null }>(
      `WITH given AS (
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::float8[]) AS given (id, outcome, step, wait_ms)),
       settled AS (
         UPDATE dial_attempts a SET state = 'settled', outcome = given.outcome, settled_at = now()
         FROM given WHERE a.id = given.id AND a.state <> 'settled'
         RETURNING a.id, a.lead_id, given.step, given.wait_ms)
       SELECT array_agg(id::text) AS ids, step_lead_dials(array_agg(lead_id), array_agg(step), array_agg(wait_ms)),
         set_config('synchronous_commit', 'off', true)
       FROM settled`,
      [
        settlements.map(({ attemptId }) => attemptId),
        settlements.map(({ outcome }) => outcome),
        settlements.map(({ step }) => step),
        settlements.map(({ waitMs }) => waitMs),
      ],
    );
    return new Set(row?.ids);
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

  /**
   * Parts settled attempts from a campaign that is about to be deleted, up to a limit; says whether there may be more. Live ones
   * are few, and go on by their campaign until it is gone.
   */
  async detachSettled(userId: number, campaignId: number, limit: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE dial_attempts SET campaign_id = NULL WHERE id IN (
         SELECT id FROM dial_attempts WHERE user_id = $1 AND campaign_id = $2 AND state = 'settled' LIMIT $3)
       RETURNING 1`,
      [userId, campaignId, limit],
    );
    return rows.length === limit;
  }

  /** Deletes up to `limit` attempts that were settled so long ago; returns how many. */
  removeSettled(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM dial_attempts WHERE id IN (
         SELECT id FROM dial_attempts WHERE state = 'settled' AND settled_at < now() - $1 * interval '1 ms'
         ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [ageMs, limit],
    );
  }
}
