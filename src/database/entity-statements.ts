import type { EntityManager, EntityTarget, FindManyOptions, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { PageOf, PageRequest } from '../common/http/page.js';
import { type Database, isUniqueViolation } from './database.js';
import type { Tx } from './transactions.js';

/** One page of the entities that the options describe, with the exact number of all of them. */
export async function findPage<Entity extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Entity>,
  { page, perPage }: PageRequest,
  options: FindManyOptions<Entity>,
): Promise<PageOf<Entity>> {
  const [rows, total] = await manager.findAndCount(target, {
    ...options,
    skip: (page - 1) * perPage,
    take: perPage,
  });
  return { rows, total };
}

/** One entity, which no other transaction changes until this one ends. */
export function findLocked<Entity extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Entity>,
  where: FindOptionsWhere<Entity>,
): Promise<Entity | null> {
  return manager.findOne(target, { where, lock: { mode: 'pessimistic_write' } });
}

/** Deletes one entity; false when it is not there. */
export async function deleteOne<Entity extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Entity>,
  where: FindOptionsWhere<Entity>,
): Promise<boolean> {
  const { affected } = await manager.delete(target, where);
  return affected === 1;
}

/** Writes a new or a changed entity; null when another row has what the unique constraint is of. */
export async function saveUnlessTaken<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: Entity,
  constraint: string,
): Promise<Entity | null> {
  try {
    return await manager.save(entity);
  } catch (error) {
    if (isUniqueViolation(error, constraint)) return null;
    throw error;
  }
}

/** Takes the next id of a table, which no other row gets, before the row is written. */
export async function nextId(database: Database, table: string, tx?: Tx): Promise<number> {
  const [row] = await database.writePrepared<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence($1, 'id'))::integer AS id`,
    [table],
    tx,
  );
  if (!row) throw new Error('a sequence without a next value');
  return row.id;
}
