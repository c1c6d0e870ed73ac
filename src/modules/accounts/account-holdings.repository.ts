import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** How many rows of a table are an account's. */
export interface Holding {
  readonly table: string;
  readonly rows: number;
}

/** What an account holds in the database, for its operator alone. */
@Injectable()
export class AccountHoldingsRepository {
  constructor(private readonly database: Database) {}

  /** Until the transaction ends, no row that refers to the account is added. */
  async lock(userId: number, tx: Tx): Promise<void> {
    await this.database.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId], tx);
  }

  /** Which tables hold data of an account: those with a foreign key to accounts. */
  async of(userId: number, tx: Tx): Promise<Holding[]> {
    const tables = await this.database.query<{ table: string; column: string }>(
      `SELECT conrelid::regclass::text AS table, quote_ident(attname) AS column
       FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
       WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY 1`,
      [],
      tx,
    );
    const holdings: Holding[] = [];
    for (const { table, column } of tables) {
      const [row] = await this.database.query<{ rows: number }>(
        `SELECT count(*)::integer AS rows FROM ${table} WHERE ${column} = $1`,
        [userId],
        tx,
      );
      if (row && row.rows > 0) holdings.push({ table, rows: row.rows });
    }
    return holdings;
  }
}
