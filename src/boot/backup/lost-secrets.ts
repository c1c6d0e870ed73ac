import type { SealedColumn } from '../../common/crypto/sealed-column.js';
import type { SecretBox } from '../../common/crypto/secret-box.js';
import type { DatabaseLoad } from '../../database/backup/load-database.js';
import type { Manifest } from '../../database/backup/manifest.js';
import { FORGET_LOST_KEYS, KEYS_TABLE } from '../../modules/encryption-keys/restored-keys.repository.js';
import {
  isRow,
  isSealed,
  keyIdOf,
  type SealedValue,
  valueOf,
} from '../../modules/encryption-keys/sealed-value-sql.js';

/**
 * Replaces the secrets of restored rows that no key here opens, as each column says. A backup of an older release has fewer
 * tables and columns.
 *
 * @returns how many secrets are lost, by the place that they were sealed for
 */
export async function forgetLostSecrets(
  load: DatabaseLoad,
  { tables }: Manifest,
  columns: readonly SealedColumn[],
  box: SecretBox,
): Promise<ReadonlyMap<string, number>> {
  const restored = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  const lost = new Map<string, number>();
  for (const column of columns) {
    if (!restored.get(column.table)?.has(column.column)) continue;
    const count = await forget(load, column, box);
    if (count > 0) lost.set(column.place, (lost.get(column.place) ?? 0) + count);
  }
  if (restored.has(KEYS_TABLE)) await load.run(FORGET_LOST_KEYS, [box.keyIds]);
  return lost;
}

async function forget(load: DatabaseLoad, column: SealedColumn, box: SecretBox): Promise<number> {
  const { table, column: name, whenLost } = column;
  const isLost = `${isSealed(column)} AND ${keyIdOf(column)} <> ALL($1::text[])`;
  if (whenLost === 'delete') return load.run(`DELETE FROM ${table} WHERE ${isLost}`, [box.keyIds]);
  if (whenLost === 'null') {
    return load.run(`UPDATE ${table} SET ${name} = NULL WHERE ${isLost}`, [box.keyIds]);
  }
  const values = await load.read<SealedValue>(`SELECT ${valueOf(column)} FROM ${table} WHERE ${isLost}`, [
    box.keyIds,
  ]);
  for (const { key, userId, rowId } of values) {
    const sealed = box.seal(whenLost(), { userId, column: column.place, rowId });
    await load.run(`UPDATE ${table} SET ${name} = $1 WHERE ${isRow(column, 2)}`, [sealed, ...key]);
  }
  return values.length;
}
