import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('refuse_ledger_change', () => {
  const add = async () =>
    database.insert('ledger_entries', {
      user_id: await build.account(),
      kind: 'credit',
      amount_micros: 5,
      balance_after_micros: 5,
      reference: 'a',
    });

  it('lets entries be added', async () => {
    expect(await add()).toMatchObject({ amount_micros: 5 });
  });

  it.each([
    'UPDATE ledger_entries SET amount_micros = 6',
    'DELETE FROM ledger_entries',
    'DELETE FROM ledger_entries WHERE false',
    'TRUNCATE ledger_entries',
  ])('refuses %s', async (statement) => {
    await add();
    expect(await database.errorOf(statement)).toBe('ledger entries are never changed or deleted');
  });
});
