import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { DatabaseSession } from '../../../database/connections/database-session.js';
import { ACCOUNT_TABLE } from '../tables-apart.js';

/** Rows that are fetched in one go: a call has a long transcript. */
const PAGE = 100;

/** What is a secret of the product, or is made of what is given out anyway. */
const LEFT_OUT_NAMES = '(^sealed_|_hash$|_token$|^embedding$)';
const LEFT_OUT_TYPES = ['bytea', 'tsvector'];

/** A table with the rows of one account. */
export interface AccountTable {
  /** As the catalogue writes it. */
  readonly name: string;
  /** Of SQL, quoted. */
  readonly columns: readonly string[];
  /** Of SQL, which tells the rows of the account $1. */
  readonly condition: string;
}

/** All rows of an account as they were at one moment, read over a connection of its own. */
export class AccountRows {
  constructor(
    private readonly session: DatabaseSession,
    private readonly userId: number,
    readonly tables: readonly AccountTable[],
  ) {}

  /** The rows of a table as JSON, some at a time. */
  async *of({ name, columns, condition }: AccountTable): AsyncGenerator<readonly string[]> {
    // A cursor takes no parameters.
    const where = condition.replaceAll('$1', String(Math.trunc(this.userId)));
    await this.session.query(
      `DECLARE account_rows NO SCROLL CURSOR FOR
       SELECT to_jsonb(kept)::text AS row FROM (SELECT ${columns.join(', ')} FROM ${name} WHERE ${where}) AS kept`,
      [],
    );
    for (;;) {
      const rows = await this.session.query<{ row: string }>(`FETCH ${PAGE} FROM account_rows`, []);
      if (rows.length > 0) yield rows.map(({ row }) => row);
      if (rows.length < PAGE) break;
    }
    await this.session.query('CLOSE account_rows', []);
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

/**
 * Reads the data of accounts from all tables. A table is an account's by its column `user_id`, or by referring to one
 * that has it.
 */
@Injectable()
export class AccountRowsRepository {
  constructor(private readonly database: Database) {}

  /** To be closed. What is written from now on is not in it. */
  async open(userId: number): Promise<AccountRows> {
    const session = await this.database.openSession();
    try {
      await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', []);
      return new AccountRows(session, userId, await this.tablesIn(session));
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private async tablesIn(session: DatabaseSession): Promise<AccountTable[]> {
    const tables = await session.query<{ name: string; columns: string[]; condition: string | null }>(
      `SELECT c.oid::regclass::text AS name,
         array(SELECT quote_ident(attname) FROM pg_attribute
               WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
                 AND format_type(atttypid, NULL) <> ALL ($1::text[]) AND attname !~ $2 ORDER BY attnum) AS columns,
         CASE WHEN c.relname = $3 THEN 'id = $1'
              WHEN EXISTS (SELECT FROM pg_attribute
                           WHERE attrelid = c.oid AND attname = 'user_id' AND NOT attisdropped) THEN 'user_id = $1'
              ELSE (SELECT format('%I IN (SELECT %I FROM %s WHERE user_id = $1)', own.attname, theirs.attname,
                      confrelid::regclass)
                    FROM pg_constraint
                      JOIN pg_attribute own ON own.attrelid = conrelid AND own.attnum = conkey[1]
                      JOIN pg_attribute theirs ON theirs.attrelid = confrelid AND theirs.attnum = confkey[1]
                      JOIN pg_attribute account ON account.attrelid = confrelid AND account.attname = 'user_id'
                    WHERE contype = 'f' AND conrelid = c.oid AND confdeltype = 'c' AND cardinality(conkey) = 1
                    ORDER BY conname LIMIT 1) END AS condition
       FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
      [LEFT_OUT_TYPES, LEFT_OUT_NAMES, ACCOUNT_TABLE],
    );
    return tables.flatMap(({ name, columns, condition }) =>
      condition === null ? [] : [{ name, columns, condition }],
    );
  }
}
