import { Injectable } from '@nestjs/common';
import { toSafeInteger } from '../../../database/columns.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import {
  SECONDS_TO_NEXT_DAY,
  SECONDS_TO_NEXT_HOUR,
  UTC_DAY,
  UTC_HOUR,
} from '../../../database/utc-windows.js';

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

/** What visitors have spent. Their limits are decided by `hold_money`, which sets the money aside. */
@Injectable()
export class VisitorSpendRepository {
  constructor(private readonly database: Database) {}

  async stateOf(
    userId: number,
    assistantId: number,
    defaultCapMicros: number,
    tx?: Tx,
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
