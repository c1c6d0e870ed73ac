import { Injectable } from '@nestjs/common';
import type { RoutingReason } from '../../../common/phone/call-routing.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { QUEUE_POSITION, WAITS_FOR_LINE, waitsForLine } from '../../calls/live/waits-for-line.js';
import type { ActiveCall } from '../active-call.entity.js';
import type { QueuePlace, QueueTerms } from './queue-terms.js';

/** What a waiting call has once an assistant talks on it. */
export type ServedCall = Pick<
  ActiveCall,
  'line' | 'holdId' | 'maxDurationSeconds' | 'pricePerMinuteMicros' | 'callsPerSecond' | 'waitedSeconds'
>;

/** Calls whose callers wait for a line, in the order in which they came. */
@Injectable()
export class QueuedCallsRepository {
  constructor(private readonly database: Database) {}

  /** Puts a call at the end. */
  async enter(callId: number, terms: QueueTerms, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE active_calls SET queue = $2, queued_at = clock_timestamp() WHERE call_id = $1',
      [callId, JSON.stringify(terms)],
      tx,
    );
  }

  /** Of those of these calls that wait; first those that came first to their account. */
  placesOf(callIds: readonly number[]): Promise<QueuePlace[]> {
    return this.database.query(
      `SELECT mine.call_id AS "callId", mine.user_id AS "userId", ${QUEUE_POSITION} AS position
       FROM active_calls mine WHERE mine.call_id = ANY($1::int[]) AND ${waitsForLine('mine')}
       ORDER BY mine.queued_at, mine.call_id`,
      [callIds],
    );
  }

  countOfNumber(userId: number, phoneNumberId: number, tx: Tx): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS count FROM active_calls active
       WHERE user_id = $1 AND phone_number_id = $2 AND ${WAITS_FOR_LINE}`,
      [userId, phoneNumberId],
      tx,
    );
  }

  /** Why the first caller of a number waits; null where none does. */
  reasonOfFirst(userId: number, phoneNumberId: number): Promise<RoutingReason | null> {
    return this.database.value<RoutingReason>(
      `SELECT call.routing->>'reason' AS reason FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE active.user_id = $1 AND active.phone_number_id = $2 AND ${WAITS_FOR_LINE}
       ORDER BY active.queued_at, active.call_id LIMIT 1`,
      [userId, phoneNumberId],
    );
  }

  /** How many callers of the account wait, and how many of them came before a waiting call. */
  async countOf(
    userId: number,
    callId: number,
    tx: Tx,
  ): Promise<{ readonly all: number; readonly before: number }> {
    const [row] = await this.database.query<{ all: number; before: number }>(
      `SELECT count(*)::integer AS "all", (count(*) FILTER (WHERE
           (active.queued_at, active.call_id) < (mine.queued_at, mine.call_id)))::integer AS before
       FROM active_calls mine JOIN active_calls active ON active.user_id = mine.user_id AND ${WAITS_FOR_LINE}
       WHERE mine.user_id = $1 AND mine.call_id = $2`,
      [userId, callId],
      tx,
    );
    return row ?? { all: 0, before: 0 };
  }

  /** Of all accounts. */
  countAll(): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS count FROM active_calls active WHERE ${WAITS_FOR_LINE}`,
    );
  }

  /** Whether the call still waits, and is the token's; locked, so that it stays so for the transaction. */
  lock(callId: number, token: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM active_calls
       WHERE call_id = $1 AND lease_token = $2 AND stage = 'open' AND queued_at IS NOT NULL FOR UPDATE`,
      [callId, token],
      tx,
    );
  }

  /** An assistant talks on a call that this transaction has locked. */
  async serve(callId: number, served: ServedCall, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE active_calls SET queue = NULL, queued_at = NULL, without_line = false, line = $2, hold_id = $3,
         max_duration_seconds = $4, price_per_minute_micros = $5, calls_per_second = $6, waited_seconds = $7
       WHERE call_id = $1`,
      [
        callId,
        served.line,
        served.holdId,
        served.maxDurationSeconds,
        served.pricePerMinuteMicros,
        served.callsPerSecond,
        served.waitedSeconds,
      ],
      tx,
    );
  }

  /** Its caller does not wait any more, and no assistant talks. The call is locked by this transaction. */
  async leave(
    callId: number,
    { holdId, maxDurationSeconds }: Pick<ActiveCall, 'holdId' | 'maxDurationSeconds'>,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE active_calls SET queue = NULL, queued_at = NULL, hold_id = $2, max_duration_seconds = $3
       WHERE call_id = $1`,
      [callId, holdId, maxDurationSeconds],
      tx,
    );
  }
}
