import { describe, expect, it } from '@jest/globals';
import { callCountChanges } from '../../../support/count-changes.js';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_removed_calls', () => {
  it('notes the calls of one statement by account, day in UTC, status, type, assistant, campaign and routing', async () => {
    const userId = await build.account();
    const assistantId = await build.assistant(userId);
    const campaignId = await build.id('campaigns', { user_id: userId });
    const call = {
      user_id: userId,
      assistant_id: assistantId,
      campaign_id: campaignId,
      created_at: sql("'2026-03-10 23:59:59Z'"),
    };
    const kept = await build.id('calls', call);
    await build.id('calls', call);
    await build.id('calls', { ...call, created_at: sql("'2026-03-10 00:00:00Z'") });
    await build.id('calls', { ...call, created_at: sql("'2026-03-11 00:00:00Z'") });
    await build.id('calls', { ...call, status: 'busy' });
    await build.id('calls', { ...call, type: 'web' });
    await build.id('calls', { ...call, assistant_id: null });
    await build.id('calls', { ...call, campaign_id: null });
    await build.id('calls', { ...call, routing: { branch: 'closed', reason: 'hours' } });
    await database.rows('DELETE FROM call_count_changes');
    await database.rows('DELETE FROM calls WHERE id <> $1', kept);
    const counted = {
      user_id: userId,
      day: '2026-03-10',
      status: 'initiated',
      type: 'outbound',
      assistant_id: assistantId,
      campaign_id: campaignId,
      branch: '',
      reason: '',
      change: -1,
    };
    expect(await callCountChanges(database)).toEqual([
      { ...counted, status: 'busy' },
      { ...counted, assistant_id: 0 },
      { ...counted, campaign_id: 0 },
      { ...counted, change: -2 },
      { ...counted, branch: 'closed', reason: 'hours' },
      { ...counted, type: 'web' },
      { ...counted, day: '2026-03-11' },
    ]);
  });

  it('notes nothing when a statement deletes no call', async () => {
    await database.rows('DELETE FROM calls WHERE false');
    expect(await callCountChanges(database)).toEqual([]);
  });
});
