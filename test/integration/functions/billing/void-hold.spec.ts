import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('void_hold', () => {
  it.each([
    { state: 'held', after: 'voided' },
    { state: 'captured', after: 'captured' },
    { state: 'voided', after: 'voided' },
  ])('leaves a hold that was $state $after, and others as they are', async ({ state, after }) => {
    const userId = await build.account({ balance_micros: 100, held_micros: 100 });
    const id = await build.uuid('holds', { user_id: userId, state });
    const other = await build.uuid('holds', { user_id: userId });
    await database.rows('SELECT void_hold($1)', id);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', id)).toBe(after);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', other)).toBe('held');
  });
});
