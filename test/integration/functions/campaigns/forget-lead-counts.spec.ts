import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('forget_lead_counts', () => {
  it('empties the counts of leads and their changes when the leads are truncated', async () => {
    const userId = await build.account();
    const campaignId = await build.id('campaigns', { user_id: userId });
    await build.id('leads', { user_id: userId, campaign_id: campaignId });
    const counted = { user_id: userId, campaign_id: campaignId, status: 'created' };
    await database.insert('lead_counts', { ...counted, leads: 1 });
    await database.rows('TRUNCATE leads CASCADE');
    expect(await database.rows('SELECT FROM lead_counts')).toEqual([]);
    expect(await database.rows('SELECT FROM lead_count_changes')).toEqual([]);
  });
});
