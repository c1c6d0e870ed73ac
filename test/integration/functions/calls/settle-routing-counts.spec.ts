import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('settle_routing_counts', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
  });

  const note = (values: Values) =>
    database.insert('call_count_changes', {
      user_id: userId,
      day: '2026-03-10',
      status: 'busy',
      type: 'inbound',
      assistant_id: 7,
      campaign_id: 0,
      branch: 'closed',
      reason: 'hours',
      change: 1,
      ...values,
    });
  const settle = () => database.rows('DELETE FROM call_count_changes');
  const counts = async () =>
    (
      await database.rows(
        `SELECT period, starts_on::text, status, assistant_id, branch, reason, calls FROM call_routing_counts
         WHERE user_id = $1 ORDER BY period, starts_on, status, assistant_id, branch, reason`,
        userId,
      )
    ).map((row) => Object.values(row));

  it('adds settled changes by day, by month and altogether', async () => {
    await note({});
    await note({ day: '2026-03-11', change: 2 });
    await settle();
    const cell = ['busy', 7, 'closed', 'hours'];
    expect(await counts()).toEqual([
      ['all', '0001-01-01', ...cell, 3],
      ['day', '2026-03-10', ...cell, 1],
      ['day', '2026-03-11', ...cell, 2],
      ['month', '2026-03-01', ...cell, 3],
    ]);
  });

  it('keeps cells apart, and adds to those that are there', async () => {
    await note({});
    await settle();
    await note({ change: 4 });
    await note({ status: 'completed' });
    await note({ assistant_id: 8 });
    await note({ branch: 'unavailable' });
    await note({ reason: 'closed_date' });
    await settle();
    expect((await counts()).filter(([period]) => period === 'day').map((row) => row.slice(2))).toEqual([
      ['busy', 7, 'closed', 'closed_date', 1],
      ['busy', 7, 'closed', 'hours', 5],
      ['busy', 7, 'unavailable', 'hours', 1],
      ['busy', 8, 'closed', 'hours', 1],
      ['completed', 7, 'closed', 'hours', 1],
    ]);
  });

  it('counts no call without a routing, and adds nothing for changes that cancel out', async () => {
    await note({ branch: '', reason: '' });
    await note({ change: 1 });
    await note({ change: -1 });
    await settle();
    expect(await counts()).toEqual([]);
  });
});
