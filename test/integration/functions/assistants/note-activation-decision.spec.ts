import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('note_activation_decision', () => {
  it.each([
    { status: 'active', given: false, kept: true },
    { status: 'active', given: true, kept: true },
    { status: 'inactive', given: true, kept: true },
    { status: 'inactive', given: false, kept: false },
  ])(
    'of a new assistant that is $status, with activates_by_use $given, makes it $kept',
    async ({ status, given, kept }) => {
      const id = await build.assistant(await build.account(), {}, { status, activates_by_use: given });
      expect(await database.value('SELECT activates_by_use FROM assistants WHERE id = $1', id)).toBe(kept);
    },
  );

  it.each([
    { from: 'inactive', to: 'active', before: false, after: true },
    { from: 'active', to: 'inactive', before: true, after: false },
    { from: 'active', to: 'active', before: true, after: true },
    { from: 'inactive', to: 'inactive', before: true, after: true },
  ])(
    'of an assistant that turns from $from to $to, with activates_by_use $before, makes it $after',
    async ({ from, to, before, after }) => {
      const id = await build.assistant(await build.account(), {}, { status: from, activates_by_use: before });
      await database.rows('UPDATE assistants SET status = $2 WHERE id = $1', id, to);
      expect(await database.value('SELECT activates_by_use FROM assistants WHERE id = $1', id)).toBe(after);
    },
  );

  it('keeps that an assistant was deactivated until it is activated again', async () => {
    const id = await build.assistant(await build.account(), {}, { status: 'active' });
    await database.rows("UPDATE assistants SET status = 'inactive' WHERE id = $1", id);
    await database.rows("UPDATE assistants SET name = 'B' WHERE id = $1", id);
    expect(await database.value('SELECT activates_by_use FROM assistants WHERE id = $1', id)).toBe(false);
  });
});
