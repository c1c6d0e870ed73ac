import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { leadCountChanges } from '../../../support/count-changes.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_added_leads', () => {
  it('notes the leads of one statement by account, campaign and status', async () => {
    const userId = await build.account();
    const campaignId = await build.id('campaigns', { user_id: userId });
    const other = await build.id('campaigns', { user_id: userId });
    await database.rows(
      `INSERT INTO leads (user_id, campaign_id, phone_number, status)
       SELECT $1, campaign_id, '+55119' || 80000000 + row_number() OVER (), status FROM (VALUES
         ($2::integer, 'created'), ($2, 'created'), ($2, 'completed'), ($3, 'created')) AS given (campaign_id, status)`,
      userId,
      campaignId,
      other,
    );
    expect(await leadCountChanges(database)).toEqual([
      { user_id: userId, campaign_id: campaignId, status: 'completed', change: 1 },
      { user_id: userId, campaign_id: campaignId, status: 'created', change: 2 },
      { user_id: userId, campaign_id: other, status: 'created', change: 1 },
    ]);
  });

  it('notes nothing when a statement adds no lead', async () => {
    await database.rows(
      'INSERT INTO leads (user_id, campaign_id, phone_number) SELECT 1, 1, $1 WHERE false',
      '1',
    );
    expect(await leadCountChanges(database)).toEqual([]);
  });
});
