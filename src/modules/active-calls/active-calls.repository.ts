import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { ActiveCall, CALL_STAGES, type CallStage } from './active-call.entity.js';
import type {
  BegunPlacing,
  CallerContext,
  EndedCall,
  NewActiveCall,
  PlacedCall,
  RenewedLease,
  RequestedEnd,
} from './running-call.js';
import {
  CALLS_OF_PROCESS,
  CARRIER_FAMILY,
  PROCESS_IS_ALIVE,
  VISITOR_CALLS_OF_PROCESS,
  visitorCapacityOfProcess,
} from './voice-process-conditions.js';

/** Read in the statement that ends the call, which saves a round trip. */
const END_WANTED = `is_webhook_wanted(user_id, 'call.ended') AS "isEndWanted"`;

const LIVE = "stage <> 'evaluating'";

/** Work of the platform itself on calls by their id; only what an account asks for takes the account. */
@Injectable()
export class ActiveCallsRepository {
  constructor(private readonly database: Database) {}

  add(activeCalls: readonly NewActiveCall[], tx: Tx): Promise<ActiveCall[]> {
    return this.database.insertPrepared(ActiveCall, activeCalls, tx);
  }

  find(callId: number): Promise<ActiveCall | null> {
    return this.database.manager().findOneBy(ActiveCall, { callId });
  }

  /** Of all accounts; every stage is named. */
  countByStage(): Promise<{ readonly stage: CallStage; readonly calls: number }[]> {
    return this.database.query(
      `SELECT stage, count(call_id)::int AS calls FROM unnest($1::text[]) AS known (stage)
       LEFT JOIN active_calls USING (stage) GROUP BY stage`,
      [CALL_STAGES],
    );
  }

  /**
   * How long the call has been in its stage and in the world, in milliseconds. The database wrote both moments, so it
   * alone can measure from them: this process's clock may be another, or be set back. Null when it has ended.
   */
  agesOf(callId: number): Promise<{ readonly stageMs: number; readonly callMs: number } | null> {
    return this.database.first<{ stageMs: number; callMs: number }>(
      `SELECT (extract(epoch FROM now() - active.stage_since) * 1000)::float8 AS "stageMs",
         (extract(epoch FROM now() - call.created_at) * 1000)::float8 AS "callMs"
       FROM active_calls active JOIN calls call ON call.id = active.call_id WHERE active.call_id = $1`,
      [callId],
    );
  }

  /** Marks that the carrier is about to be asked for these calls; leaves out those that another process has begun to place. */
  beginPlacingAll(callIds: readonly number[]): Promise<BegunPlacing[]> {
    return this.database.writePrepared<BegunPlacing>(
      `UPDATE active_calls SET stage = 'placing', stage_since = now()
       WHERE call_id = ANY($1::int[]) AND stage = 'waiting'
       RETURNING call_id AS "callId", end_requested_at IS NOT NULL AS "isToEnd"`,
      [callIds],
    );
  }

  /**
   * Notes the number that a second leg of the call goes by; null: it has none any more. False when the call is not (or not any
   * more) the token's.
   */
  setSecondLeg(callId: number, token: string, numberId: number | null, tx?: Tx): Promise<boolean> {
    const parameters = [callId, numberId, token];
    return this.update('second_leg_number_id = $2', "stage = 'open' AND lease_token = $3", parameters, tx);
  }

  /** Notes what the owner's server has said of the caller of a call that has not begun. */
  async setCallerContext(callId: number, context: CallerContext, tx: Tx): Promise<void> {
    const { initialMessage, lookupVariables } = context;
    await this.database.query(
      'UPDATE active_calls SET initial_message = $2, lookup_variables = $3 WHERE call_id = $1',
      [callId, initialMessage, lookupVariables && JSON.stringify(lookupVariables)],
      tx,
    );
  }

  /** The carrier has provably not got the call. */
  async returnToWaiting(callId: number): Promise<void> {
    await this.update("stage = 'waiting', stage_since = now()", "stage = 'placing'", [callId]);
  }

  /** Takes back a call that was not sent; null when it has been ended, or the carrier has it. */
  withdraw(callId: number, tx: Tx): Promise<{ holdId: string | null } | null> {
    return this.database.first<{ holdId: string | null }>(
      `DELETE FROM active_calls WHERE call_id = $1 AND stage IN ('waiting', 'placing') RETURNING hold_id AS "holdId"`,
      [callId],
      tx,
    );
  }

  /** Notes that the carrier has these calls, and who monitors them; returns the ids of those that were being placed. */
  async markAllOpen(calls: readonly PlacedCall[], leaseMs: number): Promise<Set<number>> {
    const rows = await this.database.writePrepared<{ id: number }>(
      `UPDATE active_calls active SET stage = 'open', stage_since = now(), carrier_call_id = placed.carrier_call_id,
         lease_token = placed.token, lease_until = now() + make_interval(secs => $1)
       FROM unnest($2::int[], $3::text[], $4::uuid[]) AS placed (call_id, carrier_call_id, token)
       WHERE active.call_id = placed.call_id AND active.stage = 'placing' RETURNING active.call_id AS id`,
      [
        leaseMs / 1_000,
        calls.map(({ callId }) => callId),
        calls.map(({ carrierCallId }) => carrierCallId),
        calls.map(({ token }) => token),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Takes over a call that its process has released. When forced, it takes the call from its present process.
   *
   * @param lapsedMs how long the lease must have been lapsed
   */
  takeLease(callId: number, token: string, leaseMs: number, force: boolean, lapsedMs = 0): Promise<boolean> {
    return this.update(
      'lease_token = $2, lease_until = now() + make_interval(secs => $3)',
      `stage = 'open' AND ($4 OR lease_until IS NULL OR lease_until < now() - make_interval(secs => $5))`,
      [callId, token, leaseMs / 1_000, force, lapsedMs / 1_000],
    );
  }

  /** Null when the call is not the token's any more. */
  renewLease(callId: number, token: string, leaseMs: number): Promise<RenewedLease | null> {
    return this.database.first<RenewedLease>(
      `UPDATE active_calls SET lease_until = now() + make_interval(secs => $3)
       WHERE call_id = $1 AND stage = 'open' AND lease_token = $2
       RETURNING carrier_call_id AS "carrierCallId", end_requested_at IS NOT NULL AS "isToEnd"`,
      [callId, token, leaseMs / 1_000],
    );
  }

  async releaseLease(callId: number, token: string): Promise<void> {
    await this.update('lease_until = now()', 'lease_token = $2', [callId, token]);
  }

  /** Ends the stage in which the line was open; false when the call is not (or not any more) the token's. */
  endTalk(callId: number, token: string | null, tx: Tx): Promise<boolean> {
    return this.update(
      "stage = 'evaluating', stage_since = now(), line = NULL, line_state = NULL, lease_token = NULL, lease_until = NULL",
      `${LIVE} AND lease_token IS NOT DISTINCT FROM $2`,
      [callId, token],
      tx,
    );
  }

  /** The same, of a call after which there is no work. Null when the call is not the token's. */
  endUnanswered(callId: number, token: string | null, tx: Tx): Promise<EndedCall | null> {
    return this.database.first<EndedCall>(
      `DELETE FROM active_calls WHERE call_id = $1 AND ${LIVE} AND lease_token IS NOT DISTINCT FROM $2
       RETURNING ${END_WANTED}`,
      [callId, token],
      tx,
    );
  }

  /** Nothing is left to do; null when that was so before. */
  end(callId: number, tx: Tx): Promise<EndedCall | null> {
    return this.database.first<EndedCall>(
      `DELETE FROM active_calls WHERE call_id = $1 AND stage = 'evaluating' RETURNING ${END_WANTED}`,
      [callId],
      tx,
    );
  }

  /** Marks the open calls of a campaign, which are to end. */
  async requestEnds(userId: number, campaignId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE active_calls active SET end_requested_at = now() FROM calls call
       WHERE call.id = active.call_id AND active.user_id = $1 AND call.campaign_id = $2
         AND active.stage <> 'evaluating' AND active.end_requested_at IS NULL`,
      [userId, campaignId],
      tx,
    );
  }

  /** Marks one open call, which is to end. False when none is open, or another account has it. */
  requestEnd(userId: number, callId: number): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET end_requested_at = coalesce(end_requested_at, now())
       WHERE user_id = $1 AND call_id = $2 AND ${LIVE} RETURNING call_id`,
      [userId, callId],
    );
  }

  /** Marks all open calls of an account. Returns how many calls there are that something is left to do for. */
  async requestAllEnds(userId: number): Promise<number> {
    await this.database.query(
      `UPDATE active_calls SET end_requested_at = now()
       WHERE user_id = $1 AND ${LIVE} AND end_requested_at IS NULL`,
      [userId],
    );
    return this.database.count('SELECT count(*)::integer AS calls FROM active_calls WHERE user_id = $1', [
      userId,
    ]);
  }

  /**
   * Calls that are to end and have not, those that were marked first; of all accounts. Whether its campaign runs tells the end of a
   * campaign from that of one call, which bear the same mark.
   */
  findEndRequested(except: readonly number[], limit: number): Promise<RequestedEnd[]> {
    return this.database.query<RequestedEnd>(
      `SELECT active.call_id AS "callId", active.stage, active.carrier, active.carrier_call_id AS "carrierCallId",
         call.campaign_name IS NOT NULL AND NOT EXISTS (
           SELECT FROM campaigns WHERE campaigns.id = call.campaign_id AND campaigns.status = 'in-progress') AS "isOfStopped"
       FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE active.end_requested_at IS NOT NULL AND active.stage <> 'evaluating' AND active.call_id <> ALL($1::int[])
       ORDER BY active.end_requested_at, active.call_id LIMIT $2`,
      [except, limit],
    );
  }

  /**
   * Gives a waiting call to the voice process with the most room; null when no process has room, or the call was placed.
   *
   * @param visitorShare the part of a process's lines that visitors' calls may take
   */
  giveToVoiceProcess(
    callId: number,
    visitorShare: number,
    tx: Tx,
  ): Promise<{ readonly id: string; readonly address: string } | null> {
    return this.database.first<{ id: string; address: string }>(
      `UPDATE active_calls SET voice_process_id = chosen.id
       FROM (SELECT process.id, process.address FROM voice_processes process
         WHERE ${PROCESS_IS_ALIVE} AND NOT draining AND ${CALLS_OF_PROCESS} < capacity
           AND (SELECT ${CARRIER_FAMILY} FROM active_calls active WHERE active.call_id = $1) = ANY(carriers)
           AND (NOT (SELECT active.by_visitor FROM active_calls active WHERE active.call_id = $1)
             OR ${VISITOR_CALLS_OF_PROCESS} < ${visitorCapacityOfProcess('$2')})
         ORDER BY ${CALLS_OF_PROCESS}::float8 / capacity, load, id LIMIT 1) AS chosen
       WHERE call_id = $1 AND stage = 'waiting' RETURNING chosen.id, chosen.address`,
      [callId, visitorShare],
      tx,
    );
  }

  private update(set: string, where: string, parameters: readonly unknown[], tx?: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET ${set} WHERE call_id = $1 AND ${where} RETURNING call_id`,
      parameters,
      tx,
    );
  }
}
