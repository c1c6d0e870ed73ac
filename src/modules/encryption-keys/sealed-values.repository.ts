import { Injectable } from '@nestjs/common';
import type { SealedColumn } from '../../common/crypto/sealed-column.js';
import { Database } from '../../database/database.js';

export interface SealedValue {
  /** Primary key, as text. */
  readonly key: readonly string[];
  readonly userId: number;
  readonly rowId: string;
  readonly sealed: string;
}

/** `v1.` comes before the id of the key, see `SecretBox`. */
const KEY_ID = (column: string) => `substr(${column}, 4, 8)`;

/** Values of sealed columns of any table, of all accounts. Names of tables and columns come from the features. */
@Injectable()
export class SealedValuesRepository {
  constructor(private readonly database: Database) {}

  /** The value that was added or changed last; null where there is none. */
  async findNewest(column: SealedColumn): Promise<SealedValue | null> {
    const [newest] = await this.database.query<SealedValue>(
      `SELECT ${valueOf(column)} FROM ${column.table} WHERE ${isSealed(column)} ORDER BY ${column.newestBy} DESC LIMIT 1`,
    );
    return newest ?? null;
  }

  /** How many values there are of each key. */
  async countByKey(column: SealedColumn): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ keyId: string; values: number }>(
      `SELECT ${KEY_ID(column.column)} AS "keyId", count(*)::integer AS values FROM ${column.table}
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
       WHERE ${isSealed(column)} AND ${KEY_ID(column.column)} <> $1
         ${after === null ? '' : `AND (${key}) > (${parameters})`}
       ORDER BY ${key} LIMIT $2`,
      [keyId, limit, ...(after ?? [])],
    );
  }

  /** Replaces a value that is still the same. Returns whether it was. */
  async replace(column: SealedColumn, { key, sealed }: SealedValue, by: string): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE ${column.table} SET ${column.column} = $1
       WHERE ${column.column} = $2 AND ${isRow(column, 3)} RETURNING 1 AS one`,
      [by, sealed, ...key],
    );
    return rows.length > 0;
  }
}

function valueOf({ userId, rowId, column, primaryKey }: SealedColumn): string {
  const key = primaryKey.map((name) => `${name}::text`).join(', ');
  return `ARRAY[${key}] AS key, (${userId})::integer AS "userId", (${rowId})::text AS "rowId", ${column} AS sealed`;
}

/** An empty text is no value. */
function isSealed({ column }: SealedColumn): string {
  return `${column} IS NOT NULL AND ${column} <> ''`;
}

function isRow({ primaryKey }: SealedColumn, firstParameter: number): string {
  return primaryKey.map((name, at) => `${name} = $${firstParameter + at}`).join(' AND ');
}
