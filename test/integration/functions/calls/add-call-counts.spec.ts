import { beforeEach, describe, expect, it } from '@jest/globals';
import { dimensionTotals } from '../../../support/count-changes.js';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('add_call_counts', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
  });

  const add = (values: Values) =>
    database.insert('call_counts', {
      user_id: userId,
      period: 'day',
      starts_on: '2026-03-10',
      status: 'completed',
      type: 'inbound',
      assistant_id: 7,
      campaign_id: 9,
      calls: 2,
      ...values,
    });

  it('adds the calls of a cell to the total of each of its dimensions', async () => {
    await add({});
    expect(await dimensionTotals(database)).toEqual([
      ['assistant_id', '7', 'day', '2026-03-10', 2],
      ['campaign_id', '9', 'day', '2026-03-10', 2],
      ['status', 'completed', 'day', '2026-03-10', 2],
      ['type', 'inbound', 'day', '2026-03-10', 2],
    ]);
  });

  it('adds to totals that are there, by period and day', async () => {
    await add({});
    await add({ status: 'busy', calls: 3 });
    await add({ period: 'month', starts_on: '2026-03-01', calls: 4 });
    expect(await dimensionTotals(database, 'status')).toEqual([
      ['status', 'busy', 'day', '2026-03-10', 3],
      ['status', 'completed', 'day', '2026-03-10', 2],
      ['status', 'completed', 'month', '2026-03-01', 4],
    ]);
    expect(await dimensionTotals(database, 'type')).toEqual([
      ['type', 'inbound', 'day', '2026-03-10', 5],
      ['type', 'inbound', 'month', '2026-03-01', 4],
    ]);
  });

  it('adds no total when the cells of one statement sum up to nothing', async () => {
    await database.rows(
      `INSERT INTO call_counts (user_id, period, starts_on, status, type, assistant_id, campaign_id, calls)
       VALUES ($1, 'day', '2026-03-10', 'completed', 'inbound', 7, 9, 2), ($1, 'day', '2026-03-10', 'busy', 'inbound', 7, 9, -2)`,
      userId,
    );
    expect(await dimensionTotals(database)).toEqual([
      ['status', 'busy', 'day', '2026-03-10', -2],
      ['status', 'completed', 'day', '2026-03-10', 2],
    ]);
  });

  it('adds to the totals of the account alone', async () => {
    await add({});
    await add({ user_id: await build.account(), calls: 3 });
    expect(
      await database.rows(
        "SELECT user_id, calls FROM call_dimension_totals WHERE dimension = 'type' ORDER BY calls",
      ),
    ).toMatchObject([{ user_id: userId, calls: 2 }, { calls: 3 }]);
  });
});
