import { Injectable } from '@nestjs/common';
import { In, Like } from 'typeorm';
import { ADVISORY_LOCK_CLASSES } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import { findLocked } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { NumberVerification, type VerificationFailure } from './number-verification.entity.js';

export type NewVerification = Pick<
  NumberVerification,
  | 'userId'
  | 'callKey'
  | 'phoneNumber'
  | 'countryCode'
  | 'language'
  | 'callerNumber'
  | 'callerNumberId'
  | 'carrier'
  | 'holdId'
>;

/** Calls of the last 24 hours, and those under way. */
export interface VerificationCounts {
  readonly ofAccount: number;
  readonly ofAccountToNumber: number;
  readonly toNumber: number;
  readonly runningOfAccount: number;
  readonly runningToNumber: number;
}

/** A call that has waited for so long is no longer started. */
const MAX_WAIT_MS = 60_000;
const MAX_WAIT = `interval '${MAX_WAIT_MS} milliseconds'`;
/** No call lasts so long; one that has no end by then was a dead process's. */
const MAX_CALL = "interval '180 seconds'";
const CODE_LIFE = "interval '10 minutes'";
const COUNTED = "interval '24 hours'";
const LISTED = 50;

const IS_RUNNING = `(status = 'waiting' AND created_at > now() - ${MAX_WAIT}
  OR status <> 'waiting' AND ended_at IS NULL AND called_at > now() - ${MAX_CALL})`;

/** A number. Rows of erased persons have none, and are only counted. */
const A_NUMBER = Like('+%');

@Injectable()
export class NumberVerificationsRepository {
  constructor(private readonly database: Database) {}

  /** Prevents other calls to the number until the transaction ends. */
  async lockNumber(phoneNumber: string, tx: Tx): Promise<void> {
    const lock = `pg_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.verifiedNumber}, hashtext($1))`;
    await this.database.query(`SELECT ${lock}`, [phoneNumber], tx);
  }

  /** @param written the number, and what replaces it after an erasure */
  async countRecent(userId: number, written: readonly string[], tx: Tx): Promise<VerificationCounts> {
    const [counts] = await this.database.query<VerificationCounts>(
      `SELECT count(*) FILTER (WHERE user_id = $1)::int AS "ofAccount",
         count(*) FILTER (WHERE user_id = $1 AND phone_number = ANY($2::text[]))::int AS "ofAccountToNumber",
         count(*) FILTER (WHERE phone_number = ANY($2::text[]))::int AS "toNumber",
         count(*) FILTER (WHERE user_id = $1 AND ${IS_RUNNING})::int AS "runningOfAccount",
         count(*) FILTER (WHERE phone_number = ANY($2::text[]) AND ${IS_RUNNING})::int AS "runningToNumber"
       FROM number_verifications
       WHERE (user_id = $1 OR phone_number = ANY($2::text[])) AND created_at > now() - ${COUNTED}`,
      [userId, written],
      tx,
    );
    if (!counts) throw new Error('a count without a row');
    return counts;
  }

  add(verification: NewVerification, tx: Tx): Promise<NumberVerification> {
    const manager = this.database.manager(tx);
    // There is no code yet: it has its own time from when it is spoken on.
    const expiresAt = new Date(Date.now() + MAX_WAIT_MS);
    return manager.save(manager.create(NumberVerification, { ...verification, expiresAt }));
  }

  find(userId: number, id: number, tx?: Tx): Promise<NumberVerification | null> {
    return this.database.manager(tx).findOneBy(NumberVerification, { userId, id, phoneNumber: A_NUMBER });
  }

  /** The newest first. */
  list(userId: number): Promise<NumberVerification[]> {
    return this.database.manager().find(NumberVerification, {
      where: { userId, phoneNumber: A_NUMBER },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: LISTED,
    });
  }

  /** Until the transaction ends no other request checks a code. */
  findLocked(userId: number, id: number, tx: Tx): Promise<NumberVerification | null> {
    return findLocked(this.database.manager(tx), NumberVerification, { userId, id, phoneNumber: A_NUMBER });
  }

  async save(verification: NumberVerification, tx: Tx): Promise<void> {
    await this.database.manager(tx).save(verification);
  }

  /** Takes waiting calls of these carriers, each for one process alone: it is placed once or never. */
  async claim(carriers: readonly string[], limit: number): Promise<NumberVerification[]> {
    const claimed = await this.database.query<{ id: number }>(
      `WITH due AS (
         SELECT id FROM number_verifications
         WHERE status = 'waiting' AND ended_at IS NULL AND carrier = ANY($1::text[]) AND created_at > now() - ${MAX_WAIT}
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE number_verifications verification SET status = 'calling', called_at = now()
       FROM due WHERE verification.id = due.id RETURNING verification.id`,
      [carriers, limit],
    );
    if (claimed.length === 0) return [];
    return this.database.manager().find(NumberVerification, {
      where: { id: In(claimed.map(({ id }) => id)) },
      order: { id: 'ASC' },
    });
  }

  /** Stores the code that is spoken next. False when it is no longer awaited. */
  beginCode(id: number, codeHash: string, sandboxWords: string | null): Promise<boolean> {
    return this.database.matches(
      `WITH begun AS (
         UPDATE number_verifications
         SET status = 'spoken', code_hash = $2, sandbox_words = $3, expires_at = now() + ${CODE_LIFE}
         WHERE id = $1 AND status = 'calling' RETURNING id)
       SELECT id FROM begun`,
      [id, codeHash, sandboxWords],
    );
  }

  /** The call is over; without its code, it has failed. */
  async end(id: number, failure: VerificationFailure | null, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE number_verifications SET ended_at = now(),
         failure = CASE WHEN status = 'calling' THEN coalesce($2, 'call-failed') ELSE failure END,
         status = CASE WHEN status = 'calling' THEN 'failed' ELSE status END
       WHERE id = $1 AND ended_at IS NULL`,
      [id, failure],
      tx,
    );
  }

  /** Ends calls that were never started, and calls whose process has died. @returns the holds of their money */
  async failOverdue(tx: Tx): Promise<string[]> {
    const rows = await this.database.query<{ hold_id: string | null }>(
      `WITH overdue AS (
         UPDATE number_verifications SET ended_at = now(),
           failure = CASE status WHEN 'waiting' THEN 'not-placed' WHEN 'calling' THEN 'call-failed' ELSE failure END,
           status = CASE WHEN status IN ('waiting', 'calling') THEN 'failed' ELSE status END
         WHERE ended_at IS NULL AND NOT ${IS_RUNNING}
         RETURNING hold_id)
       SELECT hold_id FROM overdue`,
      [],
      tx,
    );
    return rows.flatMap(({ hold_id: holdId }) => holdId ?? []);
  }

  /** Verifications of all accounts whose call was not made, or may be under way. */
  countOpen(): Promise<number> {
    return this.database.count(
      "SELECT count(*)::int AS count FROM number_verifications WHERE ended_at IS NULL AND status IN ('waiting', 'calling')",
    );
  }

  /** Fails them without a call. Returns the holds of their money. */
  async failOpen(tx: Tx): Promise<string[]> {
    const rows = await this.database.query<{ hold_id: string | null }>(
      `WITH failed AS (
         UPDATE number_verifications SET ended_at = now(), status = 'failed',
           failure = CASE status WHEN 'waiting' THEN 'not-placed' ELSE 'call-failed' END
         WHERE ended_at IS NULL AND status IN ('waiting', 'calling') RETURNING hold_id)
       SELECT hold_id FROM failed`,
      [],
      tx,
    );
    return rows.flatMap(({ hold_id: holdId }) => holdId ?? []);
  }

  /** Numbers (E.164) to which calls are under way, of all accounts. */
  async beingCalled(): Promise<string[]> {
    const rows = await this.database.query<{ phone_number: string }>(
      `SELECT phone_number FROM number_verifications
       WHERE ended_at IS NULL AND status <> 'waiting' AND called_at > now() - ${MAX_CALL}`,
    );
    return rows.map(({ phone_number: phoneNumber }) => phoneNumber);
  }

  async deleteOld(days: number): Promise<void> {
    await this.database.query(
      `DELETE FROM number_verifications WHERE created_at < now() - make_interval(days => $1)
         OR phone_number NOT LIKE '+%' AND created_at <= now() - ${COUNTED}`,
      [days],
    );
  }

  ofPerson(userId: number, phoneNumber: string, tx?: Tx): Promise<NumberVerification[]> {
    return this.database
      .manager(tx)
      .find(NumberVerification, { where: { userId, phoneNumber }, order: { id: 'ASC' } });
  }

  /** Deletes those that no day counts any more, and replaces the number of the others. */
  async forget(userId: number, ids: readonly number[], mark: string, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH old AS (
         DELETE FROM number_verifications
         WHERE user_id = $1 AND id = ANY($2::int[]) AND created_at <= now() - ${COUNTED})
       UPDATE number_verifications SET phone_number = $3, code_hash = NULL, sandbox_words = NULL,
         status = CASE status WHEN 'spoken' THEN 'cancelled' ELSE status END
       WHERE user_id = $1 AND id = ANY($2::int[]) AND created_at > now() - ${COUNTED}`,
      [userId, ids, mark],
      tx,
    );
  }
}
