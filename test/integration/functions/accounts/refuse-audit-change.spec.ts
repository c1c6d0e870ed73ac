import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('refuse_audit_change', () => {
  let id: string;
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
    id = randomUUID();
  });

  const add = (status: number | null) =>
    database.insert('audit_log_entries', {
      id,
      user_id: userId,
      via: 'session',
      token_id: 1,
      member_id: 2,
      network: '192.0.2.0',
      action: 'tool.create',
      resource_id: null,
      reason: 'because',
      status,
      created_at: sql('now()'),
    });
  const update = (set: string) =>
    database.rows(`UPDATE audit_log_entries SET ${set} WHERE id = '${id}' RETURNING *`);
  const errorOf = (set: string) => database.errorOf(`UPDATE audit_log_entries SET ${set} WHERE id = '${id}'`);

  it('lets the outcome be added once to an entry without one', async () => {
    await add(null);
    expect(await update("status = 201, resource_id = '7'")).toMatchObject([
      { status: 201, resource_id: '7' },
    ]);
    expect(await errorOf('status = 500')).toBe('audit entries are never changed');
  });

  it('refuses an update of an entry that has its outcome, even one that changes nothing', async () => {
    await add(201);
    expect(await errorOf('status = status')).toBe('audit entries are never changed');
  });

  it.each([
    'id = gen_random_uuid()',
    'user_id = user_id + 1',
    "via = 'key'",
    'token_id = 9',
    'token_id = NULL',
    'member_id = 9',
    'member_id = NULL',
    "network = '198.51.100.0'",
    'network = NULL',
    "action = 'tool.delete'",
    "reason = 'another'",
    'reason = NULL',
    "created_at = created_at + interval '1 millisecond'",
  ])('refuses %s, also together with the outcome', async (set) => {
    await add(null);
    expect(await errorOf(set)).toBe('audit entries are never changed');
    expect(await errorOf(`status = 201, ${set}`)).toBe('audit entries are never changed');
  });

  it('lets entries be deleted when their time is over', async () => {
    await add(201);
    expect(await database.rows('DELETE FROM audit_log_entries RETURNING id')).toEqual([{ id }]);
  });
});
