import { beforeEach, describe, expect, it } from '@jest/globals';
import { dimensionTotals } from '../../../support/count-changes.js';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('change_call_counts', () => {
  beforeEach(async () => {
    const userId = await build.account();
    const cell = {
      user_id: userId,
      period: 'day',
      starts_on: '2026-03-10',
      type: 'inbound',
      assistant_id: 7,
      campaign_id: 9,
    };
    await database.insert('call_counts', { ...cell, status: 'completed', calls: 5 });
    await database.insert('call_counts', { ...cell, status: 'busy', calls: 2 });
  });

  it('adds the difference to the totals of the dimensions', async () => {
    await database.rows("UPDATE call_counts SET calls = calls + 3 WHERE status = 'completed'");
    expect(await dimensionTotals(database)).toEqual([
      ['assistant_id', '7', 'day', '2026-03-10', 10],
      ['campaign_id', '9', 'day', '2026-03-10', 10],
      ['status', 'busy', 'day', '2026-03-10', 2],
      ['status', 'completed', 'day', '2026-03-10', 8],
      ['type', 'inbound', 'day', '2026-03-10', 10],
    ]);
  });

  it('takes away from the totals', async () => {
    await database.rows('UPDATE call_counts SET calls = calls - 1');
    expect(await dimensionTotals(database, 'type')).toEqual([['type', 'inbound', 'day', '2026-03-10', 5]]);
  });

  it('adds no total for a change that sums up to nothing', async () => {
    await database.rows('DELETE FROM call_dimension_totals');
    await database.rows("UPDATE call_counts SET calls = CASE status WHEN 'busy' THEN 3 ELSE 4 END");
    expect(await dimensionTotals(database)).toEqual([
      ['status', 'busy', 'day', '2026-03-10', 1],
      ['status', 'completed', 'day', '2026-03-10', -1],
    ]);
  });
});
