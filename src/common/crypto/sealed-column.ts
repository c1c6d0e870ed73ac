/** A column whose values a {@link SecretBox} has sealed. Each module lists its own in its feature. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** `column` of the place that its values are sealed for, such as `tools.headers`. */
  readonly place: string;
  /** SQL: `userId` of the place. */
  readonly userId: string;
  /** SQL: `rowId` of the place. */
  readonly rowId: string;
  /** Columns of the primary key. */
  readonly primaryKey: readonly string[];
  /** The column by which the newest value is found. */
  readonly newestBy: string;
  /** What a row gets in place of a value whose key is lost: no value, or a text that is sealed; or the row is deleted. */
  readonly whenLost: 'null' | 'delete' | (() => string);
}

type Differences = Pick<SealedColumn, 'table' | 'column' | 'place' | 'whenLost'> & Partial<SealedColumn>;

/** A column of a table with the columns `id` and `user_id`, unless something else is given. */
export function sealedColumn(differences: Differences): SealedColumn {
  return { userId: 'user_id', rowId: 'id', primaryKey: ['id'], newestBy: 'id', ...differences };
}
