import { beforeEach, describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCK_CLASSES } from '#src/database/advisory-locks.js';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const KIND = 'call.ended';
const LOCKS =
  "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND pid = pg_backend_pid()";

describe('write_webhook_event', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
    await database.fix('clock_timestamp', 'timestamptz', "timestamptz ''2026-03-10 12:00:00Z''");
  });

  const write = (occurrence: number | null = null, kind = KIND, subject = '7', ofUser = userId) =>
    database.value(
      'SELECT write_webhook_event($1, $2, $3, $4, $5)',
      ofUser,
      kind,
      subject,
      occurrence,
      JSON.stringify({ id: 7 }),
    );
  const occurrences = async (ofUser = userId) => {
    const rows = await database.rows<{ occurrence: number }>(
      'SELECT occurrence FROM webhook_deliveries WHERE user_id = $1 ORDER BY id',
      ofUser,
    );
    return rows.map(({ occurrence }) => occurrence);
  };

  it('writes one delivery for each subscription, all with one id and one body', async () => {
    const subscriptions = [await build.subscription(userId), await build.subscription(userId)];
    expect(await write(3)).toBe(true);
    const rows = await database.rows(
      `SELECT delivery.user_id, delivery.subscription_id, delivery.endpoint_id = subscription.endpoint_id AS same_endpoint,
         kind, subject_id, occurrence, body, event_id
       FROM webhook_deliveries delivery LEFT JOIN webhook_subscriptions subscription ON subscription.id = subscription_id
       ORDER BY subscription_id`,
    );
    const [{ event_id: eventId } = {}] = rows;
    expect(eventId).toMatch(/^msg_[0-9a-f-]{36}$/);
    expect(rows).toEqual(
      subscriptions.map((subscription) => ({
        user_id: userId,
        subscription_id: subscription,
        same_endpoint: true,
        kind: KIND,
        subject_id: '7',
        occurrence: 3,
        body: '{"type" : "call.ended", "timestamp" : "2026-03-10T12:00:00.000Z", "data" : {"id":7}}',
        event_id: eventId,
      })),
    );
  });

  it.each([
    { title: 'of all events', subscription: {}, isWritten: true },
    { title: 'of this event', subscription: { events: ['a.b', KIND] }, isWritten: true },
    { title: 'of another event', subscription: { events: ['a.b'] }, isWritten: false },
    { title: 'of no event', subscription: { events: [] }, isWritten: false },
    { title: 'that is disabled', subscription: { enabled: false }, isWritten: false },
    {
      title: 'of this event that is disabled',
      subscription: { events: [KIND], enabled: false },
      isWritten: false,
    },
  ])('answers $isWritten with a subscription $title', async ({ subscription, isWritten }) => {
    await build.subscription(userId, subscription);
    expect(await write()).toBe(isWritten);
    expect(await occurrences()).toEqual(isWritten ? [0] : []);
  });

  it('answers false without a subscription, whatever other accounts have', async () => {
    const otherId = await build.account();
    await build.subscription(otherId);
    expect(await write()).toBe(false);
    expect(await occurrences(otherId)).toEqual([]);
  });

  it('numbers the events of a subject from 0 when no number is given', async () => {
    await build.subscription(userId);
    await write();
    await write();
    await write(7);
    await write();
    expect(await occurrences()).toEqual([0, 1, 7, 8]);
  });

  it.each([
    { title: 'without a number waits for others about its subject', number: null, locks: 1 },
    { title: 'with a number waits for no other', number: 3, locks: 0 },
  ])('writes an event that $title', async ({ number, locks }) => {
    await build.subscription(userId);
    await write(number);
    expect(await database.rows(LOCKS, ADVISORY_LOCK_CLASSES.webhookSubject)).toHaveLength(locks);
  });

  it('has a lock of its own for each subject, kind and account', async () => {
    await write();
    await write(null, KIND, '8');
    await write(null, 'call.started');
    await write(null, KIND, '7', await build.account());
    expect(await database.rows(LOCKS, ADVISORY_LOCK_CLASSES.webhookSubject)).toHaveLength(4);
  });

  it('numbers each subject, kind and account by itself', async () => {
    const otherId = await build.account();
    await build.subscription(userId);
    await build.subscription(otherId);
    await write(4);
    await write(null, KIND, '8');
    await write(null, 'call.started');
    await write(null, KIND, '7', otherId);
    expect(await occurrences()).toEqual([4, 0, 0]);
    expect(await occurrences(otherId)).toEqual([0]);
  });

  it('leaves deliveries without a subscription out of the numbers', async () => {
    await build.subscription(userId);
    const endpoint = await build.id('webhook_endpoints', { user_id: userId });
    await database.insert('webhook_deliveries', {
      user_id: userId,
      endpoint_id: endpoint,
      event_id: 'msg_1',
      kind: KIND,
      subject_id: '7',
      occurrence: 5,
      body: '{}',
    });
    await write();
    expect(await occurrences()).toEqual([5, 0]);
  });

  it('writes one event for each plugin that listens to it, with the id and the body of the webhook', async () => {
    await build.listener(KIND, 'crm');
    await build.listener(KIND, 'loyalty');
    await build.listener('call.started', 'other');
    expect(await write()).toBe(true);
    const events = await database.rows('SELECT * FROM plugin_events ORDER BY plugin');
    const [{ event_id: eventId } = {}] = events;
    expect(eventId).toMatch(/^msg_[0-9a-f-]{36}$/);
    expect(events).toEqual(
      ['crm', 'loyalty'].map((plugin) =>
        expect.objectContaining({
          plugin,
          kind: KIND,
          event_id: eventId,
          user_id: userId,
          subject_id: '7',
          body: '{"type" : "call.ended", "timestamp" : "2026-03-10T12:00:00.000Z", "data" : {"id":7}}',
          attempts: 0,
          failed_at: null,
        }),
      ),
    );

    await build.subscription(userId);
    await write();
    const ids =
      'SELECT DISTINCT event_id FROM plugin_events WHERE event_id IN (SELECT event_id FROM webhook_deliveries)';
    expect(await database.rows(ids)).toHaveLength(1);
  });

  it('writes an event once when its number was written before', async () => {
    await build.subscription(userId);
    expect(await write(2)).toBe(true);
    expect(await write(2)).toBe(false);
    expect(await occurrences()).toEqual([2]);
  });
});
