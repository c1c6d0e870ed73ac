import { describe, expect, it } from '@jest/globals';
import { callCountChanges } from '../../../support/count-changes.js';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('count_added_calls', () => {
  it('notes the calls of one statement by account, day in UTC, status, type, assistant, campaign and routing', async () => {
    const userId = await build.account();
    const assistantId = await build.assistant(userId);
    const campaignId = await build.id('campaigns', { user_id: userId });
    await database.rows(
      `INSERT INTO calls (user_id, assistant_name, client_phone_number, created_at, status, type, assistant_id, campaign_id, routing)
       SELECT $1, 'Recepção', '+5511987654321', at::timestamptz, status, type, assistant_id, campaign_id, routing::jsonb
       FROM (VALUES
         ('2026-03-10 00:00:00Z', 'initiated', 'outbound', $2::integer, $3::integer, NULL),
         ('2026-03-10 23:59:59Z', 'initiated', 'outbound', $2, $3, NULL),
         ('2026-03-11 00:00:00Z', 'initiated', 'outbound', $2, $3, NULL),
         ('2026-03-10 12:00:00Z', 'ringing', 'outbound', $2, $3, NULL),
         ('2026-03-10 12:00:00Z', 'initiated', 'web', $2, $3, NULL),
         ('2026-03-10 12:00:00Z', 'initiated', 'outbound', NULL, $3, NULL),
         ('2026-03-10 12:00:00Z', 'initiated', 'outbound', $2, NULL, NULL),
         ('2026-03-10 12:00:00Z', 'initiated', 'outbound', $2, $3, '{"branch": "open", "reason": null}'),
         ('2026-03-10 12:00:00Z', 'initiated', 'outbound', $2, $3, '{"branch": "closed", "reason": "hours"}')
       ) AS given (at, status, type, assistant_id, campaign_id, routing)`,
      userId,
      assistantId,
      campaignId,
    );
    const counted = {
      user_id: userId,
      day: '2026-03-10',
      status: 'initiated',
      type: 'outbound',
      assistant_id: assistantId,
      campaign_id: campaignId,
      branch: '',
      reason: '',
      change: 1,
    };
    expect(await callCountChanges(database)).toEqual([
      { ...counted, assistant_id: 0 },
      { ...counted, campaign_id: 0 },
      { ...counted, change: 2 },
      { ...counted, branch: 'closed', reason: 'hours' },
      { ...counted, branch: 'open' },
      { ...counted, type: 'web' },
      { ...counted, status: 'ringing' },
      { ...counted, day: '2026-03-11' },
    ]);
  });

  it('notes nothing when a statement adds no call', async () => {
    await database.rows(
      "INSERT INTO calls (user_id, assistant_name, type, client_phone_number) SELECT 1, '', 'web', '' WHERE false",
    );
    expect(await callCountChanges(database)).toEqual([]);
  });
});
