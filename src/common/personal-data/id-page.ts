/** Ids of some rows, in an order that stays, and where to go on. */
export interface IdPage<Id> {
  readonly ids: readonly Id[];
  /** Null after the last rows. */
  readonly next: string | null;
}

/**
 * The page of rows that were read in order. The next one begins after the cursor of the last row, or after its id.
 *
 * @param most how many rows were asked for
 */
export function idPageOf<Id extends number | string>(
  rows: readonly { readonly id: Id; readonly cursor?: string }[],
  most: number,
): IdPage<Id> {
  const last = rows.length < most ? undefined : rows.at(-1);
  return { ids: rows.map(({ id }) => id), next: last ? (last.cursor ?? String(last.id)) : null };
}
