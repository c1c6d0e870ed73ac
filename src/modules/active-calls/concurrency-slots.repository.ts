import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCK_CLASSES, ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { CLAIMS_LINE, HAS_LINE, RESERVATION_IS_OVER } from './line-conditions.js';

/** In place of a line: who has it gives out lines alone. There is no line 0. */
const ALL_LINES = 0;
/** How many lines are looked at first; most often some of them are free, however many there are. */
const FIRST_SPAN = 500;
/** After so long a call that was asked to end does not ring any more, whether or not the far end has confirmed that. */
const ENDING_FOR = "interval '6 seconds'";
/** How often free lines are looked for again when others have just taken those that were found. */
const MAX_ATTEMPTS = 5;

interface LineSearch {
  readonly ofPlatform: number;
  /** How many lines are looked at. */
  readonly span: number;
  readonly except: readonly number[];
  /** Lines that were taken before, which no call has yet. */
  readonly inHand: number;
  /** Whether this transaction alone gives out lines, as long as calls have lines beyond the limit. */
  readonly isAlone: boolean;
}

/** The lines of the platform, each of which carries one call. */
@Injectable()
export class ConcurrencySlotsRepository {
  constructor(private readonly database: Database) {}

  /** How many lines of the account are open, or about to be, or waited for by callers. */
  async countOf(userId: number, tx: Tx): Promise<number> {
    const [row] = await this.database.readPrepared<{ count: string }>(
      `SELECT count(*) AS count FROM active_calls active WHERE user_id = $1 AND ${CLAIMS_LINE}`,
      [userId],
      tx,
    );
    return Number(row?.count ?? 0);
  }

  /** How many of them visitors' calls have; of all accounts without one. */
  countOfVisitors(userId: number | null, tx: Tx): Promise<number> {
    return this.database.count(
      `SELECT count(*)::int AS count FROM active_calls active
       WHERE active.by_visitor AND ($1::int IS NULL OR active.user_id = $1) AND ${HAS_LINE}`,
      [userId],
      tx,
    );
  }

  /** Until the transaction ends no other visitor's call takes a line: each must count those that the one before took. */
  async lockVisitors(tx: Tx): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.visitorLines], tx);
  }

  /** The same, and those of the numbers (E.164) that one of these calls rings or talks to. */
  async countWithCustomers(
    userId: number,
    among: readonly string[],
    tx: Tx,
  ): Promise<{ readonly count: number; readonly customers: readonly string[] }> {
    const [row] = await this.database.readPrepared<{ count: string; customers: string[] }>(
      `SELECT count(*) AS count,
         coalesce(array_agg(call.client_phone_number) FILTER (WHERE call.client_phone_number = ANY($2::text[])
           AND coalesce(active.end_requested_at > now() - ${ENDING_FOR}, true)), '{}') AS customers
       FROM active_calls active LEFT JOIN calls call ON call.id = active.call_id
       WHERE active.user_id = $1 AND ${CLAIMS_LINE}`,
      [userId, among],
      tx,
    );
    return { count: Number(row?.count ?? 0), customers: row?.customers ?? [] };
  }

  /**
   * The same of calls by numbers of the account, second legs of transfers included, by the number's id; those without a call
   * are left out.
   */
  async countByNumber(userId: number, ids: readonly number[], tx: Tx): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database.query<{ id: number; count: number }>(
      `SELECT leg.id, count(*)::int AS count
       FROM active_calls, unnest(ARRAY[phone_number_id, second_leg_number_id]) AS leg (id)
       WHERE user_id = $1 AND leg.id = ANY($2::int[]) AND stage <> 'evaluating' GROUP BY leg.id`,
      [userId, ids],
      tx,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /**
   * At most this many free lines of the platform, which belong to this transaction until it ends. Transactions skip
   * the lines of one another instead of waiting, so that accounts do not wait for each other's commits. A transaction
   * that rolls back may have blocked a line for a moment, but no line is ever given twice. While calls have lines
   * beyond a lowered limit, transactions run one after another: each must count the lines that the one before took.
   *
   * @param ofPlatform how many lines there are
   */
  async take(wanted: number, ofPlatform: number, tx: Tx): Promise<number[]> {
    const taken = new Set<number>();
    const tried: number[] = [];
    let isAlone = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && taken.size < wanted; attempt++) {
      const span = attempt === 0 ? Math.min(ofPlatform, FIRST_SPAN) : ofPlatform;
      const search = { ofPlatform, span, except: tried, inHand: taken.size, isAlone };
      const locked = await this.lockFree(wanted - taken.size, search, tx);
      if (locked.length === 0) {
        const wasAlone: boolean = isAlone;
        isAlone ||= await this.lockAllIfBeyond(ofPlatform, tx);
        const isSearched = wasAlone === isAlone && span === ofPlatform;
        if (isSearched && !(await this.releaseReservations(tx))) break;
      }
      tried.push(...locked);
      for (const line of locked) taken.add(line);
      // Read under the locks: each earlier owner of these lines has committed by now, or never will.
      for (const line of await this.findTakenAmong(locked, tx)) taken.delete(line);
    }
    return [...taken];
  }

  /** Frees the lines whose reservations are over. Says whether there were any. */
  private async releaseReservations(tx: Tx): Promise<boolean> {
    const released = await this.database.writePrepared(
      `UPDATE active_calls SET line = NULL WHERE call_id IN (
         SELECT active.call_id FROM active_calls active
         WHERE ${RESERVATION_IS_OVER} AND active.line IS NOT NULL FOR UPDATE SKIP LOCKED)
       RETURNING call_id`,
      [],
      tx,
    );
    return released.length > 0;
  }

  /** Locks free lines, found one after the other from a place of one's own, so that few meet. */
  private async lockFree(
    wanted: number,
    { ofPlatform, span, except, inHand, isAlone }: LineSearch,
    tx: Tx,
  ): Promise<number[]> {
    // Lines beyond the limit are of calls that began when it was higher; they count against it.
    const rows = await this.database.readPrepared<{ line: number }>(
      `WITH free AS MATERIALIZED (
         SELECT candidate.line
         FROM generate_series(0, $3::int - 1) AS step
         CROSS JOIN LATERAL (SELECT ($4::int + step) % $2::int + 1 AS line) AS candidate
         WHERE candidate.line <> ALL($5::int[])
           AND NOT EXISTS (SELECT FROM active_calls active WHERE active.line = candidate.line)
         LIMIT CASE WHEN NOT EXISTS (SELECT FROM active_calls WHERE line > $2) THEN $2
           WHEN $7 THEN greatest(0, $2 - $6::int - (SELECT count(*) FROM active_calls WHERE line IS NOT NULL))
           ELSE 0 END)
       SELECT line FROM free WHERE pg_try_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.line}, line) LIMIT $1`,
      [wanted, ofPlatform, span, Math.floor(Math.random() * ofPlatform), except, inHand, isAlone],
      tx,
    );
    return rows.map(({ line }) => line);
  }

  /** Waits until this transaction alone gives out lines, if a call has a line beyond the limit; says whether one has. */
  private async lockAllIfBeyond(ofPlatform: number, tx: Tx): Promise<boolean> {
    const locked = await this.database.readPrepared(
      `SELECT pg_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.line}, ${ALL_LINES})
       FROM (SELECT FROM active_calls WHERE line > $1 LIMIT 1) AS beyond`,
      [ofPlatform],
      tx,
    );
    return locked.length > 0;
  }

  private async findTakenAmong(lines: readonly number[], tx: Tx): Promise<number[]> {
    const rows = await this.database.readPrepared<{ line: number }>(
      'SELECT line FROM active_calls WHERE line = ANY($1::int[])',
      [lines],
      tx,
    );
    return rows.map(({ line }) => line);
  }
}
