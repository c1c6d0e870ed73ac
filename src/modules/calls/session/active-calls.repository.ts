import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { TranscriptTurn } from '../../../runtime/call/call-engine.js';
import { ActiveCall } from './active-call.entity.js';
import { Call } from '../call.entity.js';

export type NewCallRun = Pick<
  ActiveCall,
  | 'callId'
  | 'userId'
  | 'line'
  | 'holdId'
  | 'maxDurationSeconds'
  | 'ringingSeconds'
  | 'pricePerMinuteMicros'
  | 'carrierPricePerMinuteMicros'
> &
  Partial<Pick<ActiveCall, 'stage' | 'carrierCallId' | 'leaseToken' | 'leaseUntil'>>;

/** A call with what is left to do for it. */
export interface RunningCall {
  readonly call: Call;
  readonly run: ActiveCall;
}

/** A call that is to end. */
export interface RequestedEnd {
  readonly callId: number;
  readonly stage: ActiveCall['stage'];
  readonly carrierCallId: string | null;
}

/** A call that nobody looks after. */
export interface Orphan {
  readonly callId: number;
  readonly why: 'undialled' | 'abandoned' | 'unfollowed' | 'unevaluated' | 'unevaluable' | 'overdue';
}

const OUTCOME = {
  status: true,
  startedAt: true,
  endedAt: true,
  answeredBy: true,
  durationSeconds: true,
  evaluation: true,
  dialInDoubt: true,
} as const;

export type CallOutcome = Pick<Call, keyof typeof OUTCOME>;

/** First half of the key of an advisory lock, the line being the other: any number that no other lock of the product has. */
const LINE_LOCK = 7_204_301;
/** How many lines are looked at first; most often some of them are free, however many there are. */
const FIRST_SPAN = 500;
/** How often free lines are looked for again when others have just taken those that were found. */
const MAX_LOOKS = 5;
interface LineSearch {
  readonly ofPlatform: number;
  /** How many lines are looked at. */
  readonly span: number;
  readonly except: readonly number[];
  /** Lines that were taken before, which no call has yet. */
  readonly inHand: number;
}

const LIVE = "stage <> 'evaluating'";
const CAMPAIGN_IS_GONE = 'call.campaign_name IS NOT NULL AND call.campaign_id IS NULL';

/** Work of the platform itself on calls by their id; only what an account asks for takes the account. */
@Injectable()
export class ActiveCallsRepository {
  constructor(private readonly database: Database) {}

  async add(runs: readonly NewCallRun[], tx: Tx): Promise<void> {
    await this.database.manager(tx).insert(ActiveCall, [...runs]);
  }

  async find(callId: number): Promise<RunningCall | null> {
    const manager = this.database.manager();
    const [run, call] = await Promise.all([
      manager.findOneBy(ActiveCall, { callId }),
      manager.findOneBy(Call, { id: callId }),
    ]);
    return run && call && { run, call };
  }

  /** How a call stands, without what was said in it. */
  findOutcome(callId: number): Promise<CallOutcome | null> {
    return this.database.manager().findOne(Call, { where: { id: callId }, select: OUTCOME });
  }

  /**
   * How long the call has been in its stage and in the world, in milliseconds. The database wrote both moments, so it
   * alone can measure from them: this process's clock may be another, or be set back. Null when it has ended.
   */
  async agesOf(callId: number): Promise<{ readonly stageMs: number; readonly callMs: number } | null> {
    const [row] = await this.database.query<{ stageMs: number; callMs: number }>(
      `SELECT (extract(epoch FROM now() - run.stage_since) * 1000)::float8 AS "stageMs",
         (extract(epoch FROM now() - call.created_at) * 1000)::float8 AS "callMs"
       FROM call_runs run JOIN calls call ON call.id = run.call_id WHERE run.call_id = $1`,
      [callId],
    );
    return row ?? null;
  }

  /** Lines that are open, or about to be. */
  async countOf(userId: number, tx: Tx): Promise<number> {
    return this.count(`user_id = $1 AND ${LIVE}`, [userId], tx);
  }

  /**
   * Lines of the platform that nobody has and that are this transaction's until it ends, at most so many. Transactions
   * pass over the lines of one another instead of waiting, so that accounts do not wait for each other's commits; one
   * that does not commit may have kept a line from somebody, but no line is ever given twice.
   *
   * @param ofPlatform how many lines there are
   */
  async takeLines(wanted: number, ofPlatform: number, tx: Tx): Promise<number[]> {
    const taken = new Set<number>();
    const tried: number[] = [];
    for (let looks = 0; looks < MAX_LOOKS && taken.size < wanted; looks++) {
      const span = looks === 0 ? Math.min(ofPlatform, FIRST_SPAN) : ofPlatform;
      const search = { ofPlatform, span, except: tried, inHand: taken.size };
      const locked = await this.lockFreeLines(wanted - taken.size, search, tx);
      if (locked.length === 0 && span === ofPlatform) break;
      tried.push(...locked);
      for (const line of locked) taken.add(line);
      // Seen under the locks: whoever had a line has committed by now, or never will.
      for (const line of await this.findTakenAmong(locked, tx)) taken.delete(line);
    }
    return [...taken];
  }

  /** Marks that the carrier is about to be asked; false when somebody was earlier. */
  beginSending(callId: number): Promise<boolean> {
    return this.update("stage = 'sending', stage_since = now()", "stage = 'waiting'", [callId]);
  }

  /** The carrier has provably not got the call. */
  async returnToWaiting(callId: number): Promise<void> {
    await this.update("stage = 'waiting', stage_since = now()", "stage = 'sending'", [callId]);
  }

  /** Takes back a call that was not sent; null when somebody has ended it, or the carrier has it. */
  async withdraw(callId: number, tx: Tx): Promise<{ holdId: string | null } | null> {
    const [row] = await this.database.query<{ holdId: string | null }>(
      `DELETE FROM call_runs WHERE call_id = $1 AND stage IN ('waiting', 'sending') RETURNING hold_id AS "holdId"`,
      [callId],
      tx,
    );
    return row ?? null;
  }

  /** Notes that the carrier has the call, and who follows it. */
  beginFollowing(callId: number, carrierCallId: string, token: string, leaseMs: number): Promise<boolean> {
    return this.update(
      `stage = 'following', stage_since = now(), carrier_call_id = $2, lease_token = $3,
       lease_until = now() + make_interval(secs => $4)`,
      "stage = 'sending'",
      [callId, carrierCallId, token, leaseMs / 1_000],
    );
  }

  /** Takes a call over whose process has let go of it, or whoever has it, when forced. */
  takeLease(callId: number, token: string, leaseMs: number, force: boolean): Promise<boolean> {
    return this.update(
      'lease_token = $2, lease_until = now() + make_interval(secs => $3)',
      "stage = 'following' AND ($4 OR lease_until IS NULL OR lease_until < now())",
      [callId, token, leaseMs / 1_000, force],
    );
  }

  renewLease(
    callId: number,
    token: string,
    leaseMs: number,
    turns: readonly TranscriptTurn[],
  ): Promise<boolean> {
    return this.update(
      'lease_until = now() + make_interval(secs => $3), turns = $4',
      "stage = 'following' AND lease_token = $2",
      [callId, token, leaseMs / 1_000, JSON.stringify(turns)],
    );
  }

  async releaseLease(callId: number, token: string, turns: readonly TranscriptTurn[]): Promise<void> {
    await this.update('lease_until = now(), turns = $3', 'lease_token = $2', [
      callId,
      token,
      JSON.stringify(turns),
    ]);
  }

  /** Ends the stage in which the line was open; false when the call is not (or not any more) the token's. */
  endTalk(callId: number, token: string | null, tx: Tx): Promise<boolean> {
    return this.update(
      "stage = 'evaluating', stage_since = now(), line = NULL, lease_token = NULL, lease_until = NULL, turns = '[]'",
      `${LIVE} AND lease_token IS NOT DISTINCT FROM $2`,
      [callId, token],
      tx,
    );
  }

  /** The same, of a call after which there is no work. */
  async endUnanswered(callId: number, token: string | null, tx: Tx): Promise<boolean> {
    const rows = await this.database.query(
      `DELETE FROM call_runs WHERE call_id = $1 AND ${LIVE} AND lease_token IS NOT DISTINCT FROM $2
       RETURNING call_id`,
      [callId, token],
      tx,
    );
    return rows.length > 0;
  }

  /** Nothing is left to do; false when that was so before. */
  async end(callId: number, tx: Tx): Promise<boolean> {
    const rows = await this.database.query(
      "DELETE FROM call_runs WHERE call_id = $1 AND stage = 'evaluating' RETURNING call_id",
      [callId],
      tx,
    );
    return rows.length > 0;
  }

  /** Marks the open calls of a campaign, which are to end. */
  async requestEnds(userId: number, campaignId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE call_runs run SET end_requested_at = now() FROM calls call
       WHERE call.id = run.call_id AND run.user_id = $1 AND call.campaign_id = $2
         AND run.stage <> 'evaluating' AND run.end_requested_at IS NULL`,
      [userId, campaignId],
      tx,
    );
  }

  /** Calls that are to end and have not, those that were marked first; of all accounts. */
  findEndRequested(except: readonly number[], limit: number): Promise<RequestedEnd[]> {
    return this.database.query<RequestedEnd>(
      `SELECT call_id AS "callId", stage, carrier_call_id AS "carrierCallId" FROM call_runs
       WHERE end_requested_at IS NOT NULL AND stage <> 'evaluating' AND call_id <> ALL($1::int[])
       ORDER BY end_requested_at, call_id LIMIT $2`,
      [except, limit],
    );
  }

  /**
   * Calls nobody looks after, oldest first. Those of campaigns that have not been dialled are the dialler's, until the
   * campaign is deleted.
   *
   * @param speed how fast the carrier's time runs
   * @param graceMs how long after its longest duration a call may still be open
   */
  async findOrphans(speed: number, graceMs: number, limit: number): Promise<Orphan[]> {
    const rows = await this.database.query<{ call_id: number; why: Orphan['why'] }>(
      `SELECT call_id, why FROM (
         SELECT run.call_id, run.stage_since, CASE
           WHEN stage IN ('waiting', 'sending') AND call.campaign_name IS NULL
             AND stage_since < now() - interval '5 seconds' THEN 'undialled'
           WHEN stage IN ('waiting', 'sending') AND ${CAMPAIGN_IS_GONE}
             AND stage_since < now() - interval '60 seconds' THEN 'abandoned'
           WHEN stage = 'following' AND extract(epoch FROM now() - coalesce(call.answered_at, call.created_at))
             > (max_duration_seconds + CASE WHEN call.answered_at IS NULL THEN ringing_seconds ELSE 0 END) / $1::float8
               + $2 / 1000.0 THEN 'overdue'
           WHEN stage = 'following' AND ${CAMPAIGN_IS_GONE} THEN 'abandoned'
           WHEN stage = 'following' AND (lease_until IS NULL OR lease_until < now()) THEN 'unfollowed'
           WHEN stage = 'evaluating' AND stage_since < now() - interval '10 minutes' THEN 'unevaluable'
           WHEN stage = 'evaluating' AND stage_since < now() - interval '60 seconds' THEN 'unevaluated'
         END AS why
         FROM call_runs run JOIN calls call ON call.id = run.call_id) AS looked_at
       WHERE why IS NOT NULL ORDER BY stage_since LIMIT $3`,
      [speed, graceMs, limit],
    );
    return rows.map(({ call_id: callId, why }) => ({ callId, why }));
  }

  /** Locks free lines, found one after the other from a place of one's own, so that few meet. */
  private async lockFreeLines(
    wanted: number,
    { ofPlatform, span, except, inHand }: LineSearch,
    tx: Tx,
  ): Promise<number[]> {
    // Lines beyond the limit are of calls that began when it was higher; they count against it.
    const rows = await this.database.query<{ line: number }>(
      `WITH free AS MATERIALIZED (
         SELECT candidate.line
         FROM generate_series(0, $3::int - 1) AS step
         CROSS JOIN LATERAL (SELECT ($4::int + step) % $2::int + 1 AS line) AS candidate
         WHERE candidate.line <> ALL($5::int[])
           AND NOT EXISTS (SELECT FROM call_runs run WHERE run.line = candidate.line)
         LIMIT CASE WHEN EXISTS (SELECT FROM call_runs WHERE line > $2)
           THEN greatest(0, $2 - $6::int - (SELECT count(*) FROM call_runs WHERE line IS NOT NULL)) ELSE $2 END)
       SELECT line FROM free WHERE pg_try_advisory_xact_lock(${LINE_LOCK}, line) LIMIT $1`,
      [wanted, ofPlatform, span, Math.floor(Math.random() * ofPlatform), except, inHand],
      tx,
    );
    return rows.map(({ line }) => line);
  }

  private async findTakenAmong(lines: readonly number[], tx: Tx): Promise<number[]> {
    const rows = await this.database.query<{ line: number }>(
      'SELECT line FROM call_runs WHERE line = ANY($1::int[])',
      [lines],
      tx,
    );
    return rows.map(({ line }) => line);
  }

  private async count(where: string, parameters: readonly unknown[], tx: Tx): Promise<number> {
    const [row] = await this.database.query<{ count: string }>(
      `SELECT count(*) AS count FROM call_runs WHERE ${where}`,
      parameters,
      tx,
    );
    return Number(row?.count ?? 0);
  }

  private async update(
    set: string,
    where: string,
    parameters: readonly unknown[],
    tx?: Tx,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE call_runs SET ${set} WHERE call_id = $1 AND ${where} RETURNING call_id`,
      parameters,
      tx,
    );
    return rows.length > 0;
  }
}
