import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** What the simulations of an account have used on the day, in UTC. */
export interface SimulationUsage {
  readonly runs: number;
  readonly tokens: number;
}

/** One row for each account, of the last day on which it simulated: an earlier day does not count any more. */
@Injectable()
export class SimulationUsageRepository {
  constructor(private readonly database: Database) {}

  async today(userId: number, tx?: Tx): Promise<SimulationUsage> {
    const [row] = await this.database.query<SimulationUsage>(
      `SELECT runs, tokens::double precision AS tokens FROM simulation_usage
       WHERE user_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`,
      [userId],
      tx,
    );
    return row ?? { runs: 0, tokens: 0 };
  }

  /** Adds conversations that begin. */
  async addRuns(userId: number, runs: number, tx: Tx): Promise<void> {
    await this.database.query(
      `INSERT INTO simulation_usage AS used (user_id, day, runs, tokens)
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, 0)
       ON CONFLICT (user_id) DO UPDATE SET
         runs = excluded.runs + CASE WHEN used.day = excluded.day THEN used.runs ELSE 0 END,
         tokens = CASE WHEN used.day = excluded.day THEN used.tokens ELSE 0 END,
         day = excluded.day`,
      [userId, runs],
      tx,
    );
  }

  /** Adds tokens of a conversation that was begun; nothing for an account that is gone. */
  async addTokens(userId: number, tokens: number): Promise<void> {
    await this.database.query(
      `UPDATE simulation_usage AS used SET
         runs = CASE WHEN used.day = today.day THEN used.runs ELSE 0 END,
         tokens = $2::bigint + CASE WHEN used.day = today.day THEN used.tokens ELSE 0 END,
         day = today.day
       FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) AS today
       WHERE used.user_id = $1`,
      [userId, tokens],
    );
  }
}
