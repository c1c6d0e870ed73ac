import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { DialRetentionService } from '../../src/modules/campaigns/dialler/attempts/dial-retention.service.js';
import { RetentionService } from '../../src/modules/privacy/retention/retention.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

describe('What is over', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ HOLD_RETENTION_DAYS: '30', DIAL_ATTEMPT_RETENTION_DAYS: '60' });
    account = await app.account({ balanceUsd: 5 });
  });
  afterAll(() => app.stop());

  const refsOf = async (table: string, column: string) =>
    (await app.query<Record<string, string>>(`SELECT ${column} FROM ${table} ORDER BY 1`)).map(
      (row) => row[column],
    );

  it('settled holds are deleted after HOLD_RETENTION_DAYS, others and the ledger are kept', async () => {
    const insert = (reference: string, state: string, days: number) =>
      app.query(
        `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state, created_at)
         VALUES ($1, $2, 'message', 10000, $3, $4, now() - $5 * interval '1 day')`,
        [randomUUID(), account.userId, reference, state, days],
      );
    await insert('captured-old', 'captured', 31);
    await insert('voided-old', 'voided', 31);
    await insert('held-old', 'held', 31);
    await insert('captured-young', 'captured', 29);
    await insert('of-a-call', 'captured', 31);
    const [call] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number)
       VALUES ($1, 'Recepção', 'outbound', 'in-progress', '+5511987654321') RETURNING id`,
      [account.userId],
    );
    await app.query(
      `INSERT INTO active_calls (call_id, user_id, carrier, stage, hold_id, max_duration_seconds, ringing_seconds)
       SELECT $1, $2, 'sandbox', 'waiting', id, 60, 30 FROM holds WHERE reference = 'of-a-call'`,
      [call?.id, account.userId],
    );
    const ledger = await app.query('SELECT * FROM ledger_entries');
    await app.app.get(BillingService).sweepSettledHolds();
    expect(await refsOf('holds', 'reference')).toEqual(['captured-young', 'held-old', 'of-a-call']);
    expect(await app.query('SELECT * FROM ledger_entries')).toEqual(ledger);
  });

  it('holds are deleted though there are more than one batch of them', async () => {
    await app.query(
      `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state, created_at)
       SELECT gen_random_uuid(), $1, 'message', 1, 'many-' || n, 'captured', now() - interval '40 days'
       FROM generate_series(1, 1200) n`,
      [account.userId],
    );
    await app.app.get(BillingService).sweepSettledHolds();
    expect(await app.query("SELECT FROM holds WHERE reference LIKE 'many-%'")).toEqual([]);
  });

  it('settled attempts at leads are deleted after DIAL_ATTEMPT_RETENTION_DAYS, live ones are kept', async () => {
    const insert = (to: string, number: number, settledDaysAgo: number | null) =>
      app.query(
        `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, number, state, outcome, from_phone_number,
           to_phone_number, lease_until, created_at, settled_at)
         VALUES ($1, $2, NULL, NULL, $3::integer, $4, $5, '+5511900000000', $6, now(), now() - interval '90 days',
           now() - $7::integer * interval '1 day')`,
        [
          randomUUID(),
          account.userId,
          number,
          settledDaysAgo === null ? 'in-call' : 'settled',
          settledDaysAgo === null ? null : 'busy',
          to,
          settledDaysAgo,
        ],
      );
    await insert('+5511900000001', 1, 61);
    await insert('+5511900000002', 2, 59);
    await insert('+5511900000003', 3, null);
    await app.app.get(DialRetentionService, { strict: false }).sweep();
    expect(await refsOf('dial_attempts', 'to_phone_number')).toEqual(['+5511900000002', '+5511900000003']);
  });

  describe('of what people said', () => {
    const DAY_MINUTES = 1_440;
    let keeping: TestApp;

    beforeAll(async () => {
      keeping = await TestApp.start({ CALL_RETENTION_DAYS: '30', CONVERSATION_RETENTION_DAYS: '30' });
    }, 60_000);
    afterAll(() => keeping.stop());

    const addCall = async (userId: number, ageMinutes: number, ended = true): Promise<number> => {
      const [row] = await keeping.query<{ id: number }>(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, transcript, variables,
           ai_cost_micros, recording_key, recording_bytes, ended_at, created_at)
         VALUES ($1, 'Bia', 'outbound', 'completed', '+5511987654321', 'Olá', '{"a": 1}', 70000, $4, 5,
           CASE WHEN $3 THEN now() END, now() - $2 * interval '1 minute') RETURNING id`,
        [userId, ageMinutes, ended, `recordings/${randomUUID()}.ogg`],
      );
      await keeping.query(
        `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
         VALUES ($1, $2, 0, 'customer', 'Olá', 0, 1, false)`,
        [row?.id, userId],
      );
      return row?.id ?? 0;
    };
    const addConversation = async (userId: number, endedMinutesAgo: number | null): Promise<string> => {
      const id = randomUUID();
      await keeping.query(
        `INSERT INTO conversations (id, user_id, type, ended_at, created_at)
         VALUES ($1, $2, 'widget', now() - $3::integer * interval '1 minute', now() - interval '99 days')`,
        [id, userId, endedMinutesAgo],
      );
      await keeping.query(
        `INSERT INTO messages (conversation_id, user_id, role, author, content) VALUES ($1, $2, 'user', 'customer', 'Oi')`,
        [id, userId],
      );
      return id;
    };
    const sweep = () => keeping.app.get(RetentionService, { strict: false }).sweep();
    const keptCalls = (userId: number) =>
      keeping.query('SELECT id FROM calls WHERE user_id = $1 AND erased_at IS NULL ORDER BY id', [userId]);

    it('calls are emptied after CALL_RETENTION_DAYS, to the minute, and keep what they cost; what is on is kept', async () => {
      const { userId } = await keeping.account();
      const old = await addCall(userId, 30 * DAY_MINUTES + 1);
      const young = await addCall(userId, 30 * DAY_MINUTES - 1);
      const on = await addCall(userId, 31 * DAY_MINUTES, false);
      await sweep();
      expect(await keptCalls(userId)).toEqual([{ id: young }, { id: on }]);
      const [call] = await keeping.query(
        `SELECT transcript, variables, client_phone_number AS client, recording_key AS key, ai_cost_micros AS cost,
           (SELECT count(*)::integer FROM call_turns WHERE call_id = calls.id) AS turns FROM calls WHERE id = $1`,
        [old],
      );
      expect(call).toEqual({
        transcript: '',
        variables: {},
        client: null,
        key: null,
        cost: '70000',
        turns: 0,
      });
      const [cleanups] = await keeping.query('SELECT count(*)::integer AS files FROM file_cleanups');
      expect(cleanups).toEqual({ files: 1 });
    });

    it('conversations are deleted after CONVERSATION_RETENTION_DAYS from their end, to the minute', async () => {
      const { userId } = await keeping.account();
      await addConversation(userId, 30 * DAY_MINUTES + 1);
      const young = await addConversation(userId, 30 * DAY_MINUTES - 1);
      const open = await addConversation(userId, null);
      await sweep();
      const rows = await keeping.query<{ id: string }>('SELECT id FROM conversations WHERE user_id = $1', [
        userId,
      ]);
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([young, open]));
    });

    it('an account can keep them shorter, not longer, and others are not touched', async () => {
      const short = await keeping.account();
      const long = await keeping.account();
      const put = (of: TestAccount, body: object) =>
        keeping.as(of).put('/api/user/privacy/retention').send(body);
      expect(
        (await put(short, { calls_days: 7, conversations_days: 7, recordings_days: 3 }).expect(200)).body,
      ).toEqual({
        message: 'Prazos de retenção atualizados',
        data: {
          calls_days: 7,
          recordings_days: 3,
          conversations_days: 7,
          in_force: { calls_days: 7, recordings_days: 3, conversations_days: 7 },
        },
      });
      await put(long, { calls_days: 300 }).expect(200);
      expect((await keeping.as(long).get('/api/user/privacy/retention').expect(200)).body.in_force).toEqual({
        calls_days: 30,
        recordings_days: null,
        conversations_days: 30,
      });
      for (const { userId } of [short, long]) {
        await addCall(userId, 8 * DAY_MINUTES);
        await addCall(userId, 4 * DAY_MINUTES);
        await addCall(userId, 2 * DAY_MINUTES);
        await addConversation(userId, 8 * DAY_MINUTES);
      }
      await sweep();
      expect(await keptCalls(short.userId)).toHaveLength(2);
      expect(await keptCalls(long.userId)).toHaveLength(3);
      const recorded = 'SELECT id FROM calls WHERE user_id = $1 AND recording_key IS NOT NULL';
      expect(await keeping.query(recorded, [short.userId])).toHaveLength(1);
      expect(await keeping.query(recorded, [long.userId])).toHaveLength(3);
      const talks = 'SELECT id FROM conversations WHERE user_id = $1';
      expect(await keeping.query(talks, [short.userId])).toEqual([]);
      expect(await keeping.query(talks, [long.userId])).toHaveLength(1);
      // What is not sent stays, null takes it back.
      const taken = await put(short, { calls_days: null }).expect(200);
      expect(taken.body.data).toMatchObject({
        calls_days: null,
        recordings_days: 3,
        in_force: { calls_days: 30 },
      });
      await put(short, { calls_days: 0 }).expect(422);
    });

    it('more than one batch of them goes in one run, found by an index', async () => {
      const { userId } = await keeping.account();
      await keeping.query(
        `INSERT INTO calls (user_id, assistant_name, type, status, transcript, ended_at, created_at)
         SELECT $1, 'Bia', 'outbound', 'completed', 'Olá', now(), now() - interval '40 days' FROM generate_series(1, 1100)`,
        [userId],
      );
      await sweep();
      expect(await keptCalls(userId)).toEqual([]);
      await keeping.query('ANALYZE calls');
      const plan = await keeping.query<Record<string, string>>(
        `EXPLAIN SELECT id FROM calls WHERE user_id = ${userId} AND erased_at IS NULL AND ended_at IS NOT NULL
           AND created_at < now() - interval '30 days' ORDER BY created_at LIMIT 500`,
      );
      expect(plan.map((line) => Object.values(line)[0]).join()).toContain('calls_kept_idx');
    });
  });
});
