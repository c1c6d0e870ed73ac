import { beforeEach, describe, expect, it } from '@jest/globals';
import { leadCountChanges } from '../../../support/count-changes.js';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_moved_lead', () => {
  let userId: number;
  let campaignId: number;
  let leadId: number;

  beforeEach(async () => {
    userId = await build.account();
    campaignId = await build.id('campaigns', { user_id: userId });
    leadId = await build.id('leads', { user_id: userId, campaign_id: campaignId });
    await database.rows('DELETE FROM lead_count_changes');
  });

  it('notes one lead less with the old status and one more with the new', async () => {
    await database.rows("UPDATE leads SET status = 'completed' WHERE id = $1", leadId);
    expect(await leadCountChanges(database)).toEqual([
      { user_id: userId, campaign_id: campaignId, status: 'completed', change: 1 },
      { user_id: userId, campaign_id: campaignId, status: 'created', change: -1 },
    ]);
  });

  it('notes one lead less in the old campaign and one more in the new', async () => {
    const other = await build.id('campaigns', { user_id: userId });
    await database.rows('UPDATE leads SET campaign_id = $2 WHERE id = $1', leadId, other);
    expect(await leadCountChanges(database)).toEqual([
      { user_id: userId, campaign_id: campaignId, status: 'created', change: -1 },
      { user_id: userId, campaign_id: other, status: 'created', change: 1 },
    ]);
  });

  it.each(['status = status, campaign_id = campaign_id', "phone_number = '+5511987654321'"])(
    'notes nothing after %s',
    async (set) => {
      await database.rows(`UPDATE leads SET ${set} WHERE id = $1`, leadId);
      expect(await leadCountChanges(database)).toEqual([]);
    },
  );
});
