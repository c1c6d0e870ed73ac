import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('forget_call_counts', () => {
  it('empties the counts of calls, their totals and their changes when the calls are truncated', async () => {
    const userId = await build.account();
    await build.id('calls', { user_id: userId });
    const counted = { user_id: userId, period: 'day', starts_on: '2026-03-10', calls: 1 };
    await database.insert('call_totals', counted);
    await database.insert('call_counts', {
      ...counted,
      status: 'initiated',
      type: 'outbound',
      assistant_id: 0,
      campaign_id: 0,
    });
    await database.insert('call_routing_counts', {
      ...counted,
      status: 'initiated',
      type: 'outbound',
      assistant_id: 0,
      campaign_id: 0,
      branch: 'open',
      reason: '',
    });
    await database.rows('TRUNCATE calls CASCADE');
    expect(
      await database.row(
        `SELECT (SELECT count(*) FROM call_totals) AS totals, (SELECT count(*) FROM call_dimension_totals) AS dimensions,
           (SELECT count(*) FROM call_counts) AS counts,
           (SELECT count(*) FROM call_routing_counts) AS routings, (SELECT count(*) FROM call_count_changes) AS changes`,
      ),
    ).toEqual({ totals: 0, dimensions: 0, counts: 0, routings: 0, changes: 0 });
  });
});
