import { Injectable } from '@nestjs/common';
import type { SealedColumn } from '../../common/crypto/sealed-column.js';
import { Database } from '../../database/database.js';
import { isRow, isSealed, keyIdOf, type SealedValue, valueOf } from './sealed-value-sql.js';

/** Values of sealed columns of any table, of all accounts. */
@Injectable()
export class SealedValuesRepository {
  constructor(private readonly database: Database) {}

  /** The value that was added or changed last; null where there is none. */
  findNewest(column: SealedColumn): Promise<SealedValue | null> {
    return this.database.first<SealedValue>(
      `SELECT ${valueOf(column)} FROM ${column.table} WHERE ${isSealed(column)} ORDER BY ${column.newestBy} DESC LIMIT 1`,
    );
  }

  /** How many values there are of each key. */
  async countByKey(column: SealedColumn): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ keyId: string; values: number }>(
      `SELECT ${keyIdOf(column)} AS "keyId", count(*)::integer AS values FROM ${column.table}
       WHERE ${isSealed(column)} GROUP BY 1`,
    );
    return new Map(rows.map(({ keyId, values }) => [keyId, values]));
  }

  /**
   * Values of other keys than the given one, in the order of the primary key.
   *
   * @param after the primary key of the last value of the page before; null for the first page
   */
  listOfOtherKeys(
    column: SealedColumn,
    keyId: string,
    after: readonly string[] | null,
    limit: number,
  ): Promise<SealedValue[]> {
    const key = column.primaryKey.join(', ');
    const parameters = column.primaryKey.map((_name, at) => `$${at + 3}`).join(', ');
    return this.database.query<SealedValue>(
      `SELECT ${valueOf(column)} FROM ${column.table}
       WHERE ${isSealed(column)} AND ${keyIdOf(column)} <> $1
         ${after === null ? '' : `AND (${key}) > (${parameters})`}
       ORDER BY ${key} LIMIT $2`,
      [keyId, limit, ...(after ?? [])],
    );
  }

  /** Replaces a value that is still the same. Returns whether it was. */
  replace(column: SealedColumn, { key, sealed }: SealedValue, by: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE ${column.table} SET ${column.column} = $1
       WHERE ${column.column} = $2 AND ${isRow(column, 3)} RETURNING 1 AS one`,
      [by, sealed, ...key],
    );
  }
}
