import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const STATUSES = [
  'initiated',
  'ringing',
  'in-progress',
  'busy',
  'no-answer',
  'failed',
  'ended',
  'ended_by_customer',
  'ended_by_assistant',
  'completed',
];

describe('tell_call_status', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
    await build.subscription(userId);
  });

  const addCall = (values: Values = {}) => build.id('calls', { user_id: userId, ...values });
  const events = () =>
    database.rows<{ kind: string; subject: string; occurrence: number; data: Values }>(
      `SELECT kind, subject_id AS subject, occurrence, body::json->'data' AS data FROM webhook_deliveries ORDER BY id`,
    );

  it('tells of a new call with all its fields', async () => {
    const assistantId = await build.assistant(userId);
    const campaignId = await build.id('campaigns', { user_id: userId });
    const leadId = await build.id('leads', { user_id: userId, campaign_id: campaignId });
    const id = await addCall({
      assistant_id: assistantId,
      campaign_id: campaignId,
      campaign_name: 'Renovação',
      lead_id: leadId,
      assistant_phone_number: '+551140000000',
      created_at: sql("'2026-03-10 12:00:00Z'"),
    });
    expect(await events()).toEqual([
      {
        kind: 'call.status-changed',
        subject: String(id),
        occurrence: 1,
        data: {
          id,
          type: 'outbound',
          status: 'initiated',
          previous_status: null,
          assistant_id: assistantId,
          assistant_name: 'Recepção',
          campaign_id: campaignId,
          campaign_name: 'Renovação',
          lead_id: leadId,
          customer_phone: '+5511987654321',
          assistant_phone: '+551140000000',
          created_at: '2026-03-10T12:00:00.000Z',
        },
      },
    ]);
  });

  it.each(STATUSES.map((status, at) => ({ status, place: at + 1 })))(
    'tells of a move to $status as event $place of the call',
    async ({ status, place }) => {
      const before = status === 'ringing' ? 'initiated' : 'ringing';
      const id = await addCall({ status: before });
      await database.rows('DELETE FROM webhook_deliveries');
      await database.rows('UPDATE calls SET status = $2 WHERE id = $1', id, status);
      const moved = expect.objectContaining({ id, status, previous_status: before });
      expect(await events()).toEqual([
        ...(status === 'in-progress'
          ? [{ kind: 'call.started', subject: String(id), occurrence: 0, data: moved }]
          : []),
        { kind: 'call.status-changed', subject: String(id), occurrence: place, data: moved },
      ]);
    },
  );

  it('tells nothing of an update that leaves the status', async () => {
    const id = await addCall();
    await database.rows('DELETE FROM webhook_deliveries');
    await database.rows("UPDATE calls SET status = status, transcript = 'Olá' WHERE id = $1", id);
    expect(await events()).toEqual([]);
  });

  it('tells nothing of calls of an account without subscriptions', async () => {
    await addCall({ user_id: await build.account() });
    expect(await events()).toEqual([]);
  });

  it('computes nothing when no webhook is wanted', async () => {
    await database.rows('UPDATE webhook_subscriptions SET enabled = false');
    await database.rows('ALTER FUNCTION webhook_time RENAME TO webhook_time_away');
    await addCall();
    expect(await events()).toEqual([]);
  });
});
