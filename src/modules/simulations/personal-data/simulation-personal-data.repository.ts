import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Simulations that are looked at in one go, each with its transcripts. */
const PAGE = 20;

/** Where simulations hold the number of a person. */
@Injectable()
export class SimulationPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Simulations in the order they were begun. */
  async nextSimulations(userId: number, after: string | null, tx?: Tx): Promise<IdPage<number>> {
    const rows = await this.database.query<{ id: number }>(
      'SELECT id FROM simulations WHERE user_id = $1 AND id > $2::integer ORDER BY id LIMIT $3',
      [userId, after ?? '0', PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  naming({ userId, pattern }: Person, ids: readonly number[], tx?: Tx): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM simulations WHERE user_id = $1 AND id = ANY($2) AND (
         name ~ $3 OR system_prompt ~ $3 OR scenario::text ~ $3 OR EXISTS (
           SELECT FROM simulation_runs
           WHERE simulation_id = simulations.id AND (transcript::text ~ $3 OR checks::text ~ $3)))
       ORDER BY id`,
      [userId, ids, pattern],
      tx,
    );
  }

  async delete(userId: number, ids: readonly number[], tx: Tx): Promise<void> {
    await this.database.query(
      'DELETE FROM simulations WHERE user_id = $1 AND id = ANY($2)',
      [userId, ids],
      tx,
    );
  }
}
