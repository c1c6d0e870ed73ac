import { beforeEach, describe, expect, it } from '@jest/globals';
import { callCountChanges } from '../../../support/count-changes.js';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_changed_calls', () => {
  let counted: {
    user_id: number;
    day: string;
    status: string;
    type: string;
    assistant_id: number;
    campaign_id: number;
    branch: string;
    reason: string;
  };
  let ids: number[];

  beforeEach(async () => {
    const userId = await build.account();
    const assistantId = await build.assistant(userId);
    const campaignId = await build.id('campaigns', { user_id: userId });
    const add = () =>
      build.id('calls', {
        user_id: userId,
        assistant_id: assistantId,
        campaign_id: campaignId,
        created_at: sql("'2026-03-10 23:59:59Z'"),
      });
    ids = [await add(), await add()];
    await database.rows('DELETE FROM call_count_changes');
    counted = {
      user_id: userId,
      day: '2026-03-10',
      status: 'initiated',
      type: 'outbound',
      assistant_id: assistantId,
      campaign_id: campaignId,
      branch: '',
      reason: '',
    };
  });

  it.each([
    { set: "status = 'ringing'", after: { status: 'ringing' } },
    { set: "type = 'web'", after: { type: 'web' } },
    { set: 'assistant_id = NULL', after: { assistant_id: 0 } },
    { set: 'campaign_id = NULL', after: { campaign_id: 0 } },
    { set: `routing = '{"branch": "open", "reason": null}'`, after: { branch: 'open' } },
    {
      set: `routing = '{"branch": "closed", "reason": "hours"}'`,
      after: { branch: 'closed', reason: 'hours' },
    },
    { set: "created_at = created_at + interval '1 second'", after: { day: '2026-03-11' } },
  ])(
    'notes both calls of one statement less as they were and more as they are after $set',
    async ({ set, after }) => {
      await database.rows(`UPDATE calls SET ${set} WHERE id = ANY ($1)`, ids);
      const changes = await callCountChanges(database);
      expect(changes).toHaveLength(2);
      expect(changes).toEqual(
        expect.arrayContaining([
          { ...counted, change: -2 },
          { ...counted, ...after, change: 2 },
        ]),
      );
    },
  );

  it.each(['assistant_id', 'campaign_id'] as const)('notes calls without %s under 0', async (column) => {
    await database.rows(`UPDATE calls SET ${column} = NULL WHERE id = ANY ($1)`, ids);
    await database.rows('DELETE FROM call_count_changes');
    await database.rows(`UPDATE calls SET ${column} = $2 WHERE id = ANY ($1)`, ids, counted[column]);
    const changes = await callCountChanges(database);
    expect(changes).toHaveLength(2);
    expect(changes).toEqual(
      expect.arrayContaining([
        { ...counted, [column]: 0, change: -2 },
        { ...counted, change: 2 },
      ]),
    );
  });

  it('notes calls with a routing less under it when they get another one', async () => {
    const route = (branch: string, reason: string | null) =>
      database.rows('UPDATE calls SET routing = $2 WHERE id = ANY ($1)', ids, { branch, reason });
    await route('closed', 'hours');
    await database.rows('DELETE FROM call_count_changes');
    await route('open', null);
    const changes = await callCountChanges(database);
    expect(changes).toHaveLength(2);
    expect(changes).toEqual(
      expect.arrayContaining([
        { ...counted, branch: 'closed', reason: 'hours', change: -2 },
        { ...counted, branch: 'open', change: 2 },
      ]),
    );
  });

  it.each(["transcript = 'Olá'", 'status = status', "created_at = created_at - interval '1 second'"])(
    'notes nothing after %s',
    async (set) => {
      await database.rows(`UPDATE calls SET ${set} WHERE id = ANY ($1)`, ids);
      expect(await callCountChanges(database)).toEqual([]);
    },
  );
});
