import { describe, expect, it } from '@jest/globals';
import { leadCountChanges } from '../../../support/count-changes.js';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_removed_leads', () => {
  it('notes the leads of one statement by account, campaign and status', async () => {
    const userId = await build.account();
    const campaignId = await build.id('campaigns', { user_id: userId });
    const other = await build.id('campaigns', { user_id: userId });
    const add = (values: object) => build.id('leads', { user_id: userId, ...values });
    const kept = await add({ campaign_id: campaignId });
    await add({ campaign_id: campaignId });
    await add({ campaign_id: campaignId });
    await add({ campaign_id: campaignId, status: 'completed' });
    await add({ campaign_id: other });
    await database.rows('DELETE FROM lead_count_changes');
    await database.rows('DELETE FROM leads WHERE id <> $1', kept);
    expect(await leadCountChanges(database)).toEqual([
      { user_id: userId, campaign_id: campaignId, status: 'completed', change: -1 },
      { user_id: userId, campaign_id: campaignId, status: 'created', change: -2 },
      { user_id: userId, campaign_id: other, status: 'created', change: -1 },
    ]);
  });

  it('notes nothing when a statement deletes no lead', async () => {
    await database.rows('DELETE FROM leads WHERE false');
    expect(await leadCountChanges(database)).toEqual([]);
  });
});
