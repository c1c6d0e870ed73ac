import type { SealedColumn } from '../../common/crypto/sealed-column.js';

export interface SealedValue {
  /** Primary key, as text. */
  readonly key: readonly string[];
  readonly userId: number;
  readonly rowId: string;
  readonly sealed: string;
}

/** SQL: the columns of a {@link SealedValue}. Names of tables and columns come from the features. */
export function valueOf({ userId, rowId, column, primaryKey }: SealedColumn): string {
  const key = primaryKey.map((name) => `${name}::text`).join(', ');
  return `ARRAY[${key}] AS key, (${userId})::integer AS "userId", (${rowId})::text AS "rowId", ${column} AS sealed`;
}

/** SQL condition. An empty text is no value. */
export function isSealed({ column }: SealedColumn): string {
  return `${column} IS NOT NULL AND ${column} <> ''`;
}

/** SQL: the id of the key of a value. `v1.` comes before it, see `SecretBox`. */
export function keyIdOf({ column }: SealedColumn): string {
  return `substr(${column}, 4, 8)`;
}

/** SQL condition on the primary key. @param firstParameter number of the first of its parameters */
export function isRow({ primaryKey }: SealedColumn, firstParameter: number): string {
  return primaryKey.map((name, at) => `${name} = $${firstParameter + at}`).join(' AND ');
}
