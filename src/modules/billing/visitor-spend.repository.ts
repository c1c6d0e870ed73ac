import { Injectable } from '@nestjs/common';
import { toSafeInteger } from '../../database/columns.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { NewHold } from './billing.repository.js';
import { SECONDS_TO_NEXT_DAY, SECONDS_TO_NEXT_HOUR, UTC_DAY, UTC_HOUR } from './utc-windows.js';
import type { VisitorBudget } from './visitor-budget.js';

/** The caps of the account, in micro-dollars a day. */
export interface AccountCaps {
  /** Of visitors, where the account has none of its own. */
  readonly visitorsMicros: number;
  /** Of everything; null: none. */
  readonly totalMicros: number | null;
}

/** Where an account and an assistant stand, to say which limit refused a hold. */
export interface VisitorState {
  readonly freeMicros: number;
  readonly visitorsMicros: number;
  readonly visitorsCapMicros: number;
  readonly assistantMicros: number;
  readonly messages: number;
  readonly secondsToNextDay: number;
  readonly secondsToNextHour: number;
}

/**
 * A transaction that began before midnight may come after one of the new day. The window never goes back, or each
 * would take the counter back to zero.
 */
const HOLD_SQL = `
  WITH counted AS (
    INSERT INTO visitor_usage AS usage (assistant_id, day, spent_micros, hour, messages)
    SELECT $6, ${UTC_DAY}, $3, ${UTC_HOUR}, 1 WHERE $3 <= $7::bigint AND 1 <= $8::integer
    ON CONFLICT (assistant_id) DO UPDATE SET
      day = greatest(usage.day, excluded.day),
      spent_micros = CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + $3,
      hour = greatest(usage.hour, excluded.hour),
      messages = CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1
    WHERE CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + $3 <= $7::bigint
      AND CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1 <= $8::integer
    RETURNING assistant_id),
  funded AS (
    UPDATE wallets SET
      held_micros = held_micros + $3,
      visitors_micros = CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END + $3,
      visitors_on = greatest(visitors_on, ${UTC_DAY})
    FROM counted
    WHERE user_id = $2
      AND balance_micros - held_micros >= $3
      AND CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END + $3
            <= coalesce(visitors_cap_micros, $9::bigint)
      AND ($10::bigint IS NULL
           OR held_micros + $3 + CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END <= $10)
    RETURNING user_id)
  INSERT INTO holds (id, user_id, kind, amount_micros, reference, visitor_of)
  SELECT $1, user_id, $4, $3, $5, $6 FROM funded
  RETURNING id`;

/** Money that visitors spend: limits are decided by the statement that sets it aside. */
@Injectable()
export class VisitorSpendRepository {
  constructor(private readonly database: Database) {}

  /** False, and the transaction must be undone, when the free balance or a limit does not allow it. */
  async hold(hold: NewHold, budget: VisitorBudget, caps: AccountCaps, tx: Tx): Promise<boolean> {
    const rows = await this.database.query(
      HOLD_SQL,
      [
        hold.id,
        hold.userId,
        hold.amountMicros,
        hold.kind,
        hold.reference,
        budget.assistantId,
        budget.dailySpendMicros,
        budget.messagesPerHour,
        caps.visitorsMicros,
        caps.totalMicros,
      ],
      tx,
    );
    return rows.length > 0;
  }

  async stateOf(
    userId: number,
    assistantId: number,
    defaultCapMicros: number,
    tx: Tx,
  ): Promise<VisitorState> {
    const [row] = await this.database.query<Record<string, string | number>>(
      `SELECT balance_micros - held_micros AS free,
         CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END AS visitors,
         coalesce(visitors_cap_micros, $3) AS cap,
         CASE WHEN day >= ${UTC_DAY} THEN usage.spent_micros ELSE 0 END AS assistant,
         CASE WHEN hour >= ${UTC_HOUR} THEN messages ELSE 0 END AS messages,
         ${SECONDS_TO_NEXT_DAY} AS next_day, ${SECONDS_TO_NEXT_HOUR} AS next_hour
       FROM wallets LEFT JOIN visitor_usage usage ON usage.assistant_id = $2
       WHERE wallets.user_id = $1`,
      [userId, assistantId, defaultCapMicros],
      tx,
    );
    return {
      freeMicros: toSafeInteger(row?.free ?? 0),
      visitorsMicros: toSafeInteger(row?.visitors ?? 0),
      visitorsCapMicros: toSafeInteger(row?.cap ?? defaultCapMicros),
      assistantMicros: toSafeInteger(row?.assistant ?? 0),
      messages: Number(row?.messages ?? 0),
      secondsToNextDay: Number(row?.next_day ?? 1),
      secondsToNextHour: Number(row?.next_hour ?? 1),
    };
  }

  /** @param capMicros null: as the installation says */
  async setCap(userId: number, capMicros: number | null): Promise<void> {
    await this.database.query('UPDATE wallets SET visitors_cap_micros = $2 WHERE user_id = $1', [
      userId,
      capMicros,
    ]);
  }

  /** Deletes the counters of days that are over. */
  async removeOld(): Promise<void> {
    await this.database.query(`DELETE FROM visitor_usage WHERE day < ${UTC_DAY} - 1`);
  }
}
