import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('move_lead_dials', () => {
  let first: number;
  let second: number;
  let other: number;

  beforeEach(async () => {
    const userId = await build.account();
    const campaignId = await build.id('campaigns', { user_id: userId });
    const add = async () => {
      const id = await build.id('leads', { user_id: userId, campaign_id: campaignId });
      await build.add('lead_dials', { lead_id: id, user_id: userId, campaign_id: campaignId, attempts: 1 });
      return id;
    };
    [first, second, other] = [await add(), await add(), await add()];
  });

  it('sets the state and the attempts of each lead, and returns how many there are', async () => {
    expect(
      await database.value("SELECT move_lead_dials('calling', $1, $2)", [first, second, 0], [2, 3, 4]),
    ).toBe(2);
    expect(await database.rows('SELECT lead_id, state, attempts FROM lead_dials ORDER BY lead_id')).toEqual([
      { lead_id: first, state: 'calling', attempts: 2 },
      { lead_id: second, state: 'calling', attempts: 3 },
      { lead_id: other, state: 'waiting', attempts: 1 },
    ]);
  });

  it('moves nothing without leads', async () => {
    expect(await database.value("SELECT move_lead_dials('calling', '{}', '{}')")).toBe(0);
  });
});
