import { describe, expect, it } from '@jest/globals';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const NOW = sql('now()');

describe('end_waiting', () => {
  const waitsAfter = async (before: object, set: string) => {
    const id = await build.uuid('conversations', { user_id: await build.account(), ...before });
    await database.rows(`UPDATE conversations SET ${set} WHERE id = $1`, id);
    return database.value('SELECT waiting_since IS NOT NULL FROM conversations WHERE id = $1', id);
  };

  it('ends the waiting of a conversation that ends', async () => {
    expect(await waitsAfter({ waiting_since: NOW }, 'ended_at = now()')).toBe(false);
  });

  it('lets no ended conversation begin to wait', async () => {
    expect(await waitsAfter({ ended_at: NOW }, 'waiting_since = now()')).toBe(false);
  });

  it('leaves an open conversation waiting', async () => {
    expect(await waitsAfter({ waiting_since: NOW }, 'message_count = 1')).toBe(true);
    expect(await waitsAfter({ ended_at: NOW }, 'ended_at = NULL, waiting_since = now()')).toBe(true);
  });
});
