import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { NOT_TO_DELETE } from './tables-apart.js';

interface TableReferences {
  readonly name: string;
  readonly refersTo: readonly string[];
}

/**
 * The tables with data of accounts: those of the database's catalogue, so that tables of plugins are included. A
 * table is an account's by its column `user_id`.
 */
@Injectable()
export class AccountTablesRepository {
  constructor(private readonly database: Database) {}

  /**
   * The tables from which the rows of an account are to be deleted one batch after another, those that refer to others
   * first. One whose rows go with another's, and that cannot be searched by account, is left out.
   */
  async toDelete(): Promise<string[]> {
    const tables = await this.database.query<TableReferences>(
      `SELECT c.oid::regclass::text AS name,
         array(SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
               WHERE contype = 'f' AND conrelid = c.oid AND confrelid <> c.oid) AS "refersTo"
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1::text[])
         AND (EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indkey[0] = a.attnum AND indpred IS NULL)
           OR NOT EXISTS (SELECT FROM pg_constraint
                          WHERE contype = 'f' AND conrelid = c.oid AND confdeltype = 'c'))
       ORDER BY 1`,
      [NOT_TO_DELETE],
    );
    return inOrder(tables);
  }

  /** Tables without an account, whose rows are about its assistants. */
  ofAssistants(): Promise<string[]> {
    return this.database.values<string>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'assistant_id' AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'user_id' AND NOT attisdropped)
       ORDER BY 1`,
    );
  }

  /** @param table as the catalogue writes it. Returns how many rows were deleted, at most `limit` */
  deleteSome(table: string, userId: number, limit: number, tx: Tx): Promise<number> {
    return this.database.count(
      `WITH gone AS (
         DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE user_id = $1 LIMIT $2))
         RETURNING 1)
       SELECT count(*)::integer AS rows FROM gone`,
      [userId, limit],
      tx,
    );
  }

  /** The same for a table of {@link ofAssistants}. */
  deleteSomeOfAssistants(
    table: string,
    assistantIds: readonly number[],
    limit: number,
    tx: Tx,
  ): Promise<number> {
    return this.database.count(
      `WITH gone AS (
         DELETE FROM ${table}
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE assistant_id = ANY ($1::integer[]) LIMIT $2))
         RETURNING 1)
       SELECT count(*)::integer AS rows FROM gone`,
      [assistantIds, limit],
      tx,
    );
  }
}

/** Each before those it refers to; what refers to each other stays as it comes. */
function inOrder(tables: readonly TableReferences[]): string[] {
  const ordered: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const referred = new Set(left.flatMap(({ refersTo }) => refersTo));
    const free = left.filter(({ name }) => !referred.has(name));
    const next = free.length > 0 ? free : left;
    ordered.push(...next.map(({ name }) => name));
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}
