import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RestoredCopy } from '../../src/boot/after-restore/restored-copy.js';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createCampaign,
  createLead,
  createOutboundAssistant,
  phoneNumber,
} from '../support/campaign-builders.js';

let numbers = 500;

describe('The open calls of a copied database', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: number;
  let campaign: number;
  let copy: RestoredCopy;

  // Without the worker role no call is dialled, so the stored rows do not change.
  beforeAll(async () => {
    app = await TestApp.start();
    copy = new RestoredCopy(app.app.get(Database));
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 100 });
    assistant = await createOutboundAssistant(app, owner);
    campaign = await createCampaign(app, owner);
  });
  afterAll(() => app.stop());

  /** A call of a lead, as it was at the moment of the copy. */
  async function callAt(stage: 'waiting' | 'placing' | 'open', status: string) {
    const number = phoneNumber(numbers++);
    const lead = await createLead(app, owner, campaign, { phone_number: number });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: number, assistant_id: assistant })
      .expect(200);
    const call: number = body.call_id;
    await app.query('UPDATE calls SET status = $2, lead_id = $3 WHERE id = $1', [call, status, lead]);
    await app.query(
      `UPDATE active_calls SET stage = $2, lease_until = now() - interval '1 minute' WHERE call_id = $1`,
      [call, stage],
    );
    await app.query(
      `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, call_id, number, from_phone_number, to_phone_number, lease_until)
       SELECT attempt_id, user_id, $2, $3, id, 1, '+5511980000000', client_phone_number, now() FROM calls WHERE id = $1`,
      [call, campaign, lead],
    );
    await app.query("UPDATE lead_dials SET state = 'calling', attempts = 1 WHERE lead_id = $1", [lead]);
    return { call, lead };
  }

  const rowOf = async (sql: string, id: number) => (await app.query(sql, [id]))[0];
  const callOf = (id: number) =>
    rowOf('SELECT status, dial_in_doubt, end_reason, duration_seconds FROM calls WHERE id = $1', id);
  const leadOf = (id: number) =>
    rowOf(
      'SELECT state, attempts, status FROM lead_dials JOIN leads ON leads.id = lead_id WHERE lead_id = $1',
      id,
    );
  const attemptOf = (id: number) => rowOf('SELECT state, outcome FROM dial_attempts WHERE call_id = $1', id);
  const walletOf = () =>
    rowOf(
      'SELECT balance_micros::int AS balance, held_micros::int AS held FROM wallets WHERE user_id = $1',
      owner.userId,
    );

  it('end without a charge, and their leads are called again only where the carrier was not asked', async () => {
    const waiting = await callAt('waiting', 'initiated');
    const placing = await callAt('placing', 'initiated');
    const answered = await callAt('open', 'in-progress');
    expect((await walletOf())?.held).toBeGreaterThan(0);

    expect(await copy.settle(new Set())).toBe(3);

    expect(await callOf(waiting.call)).toMatchObject({ status: 'failed', dial_in_doubt: false });
    expect(await attemptOf(waiting.call)).toBeUndefined();
    expect(await leadOf(waiting.lead)).toEqual({ state: 'waiting', attempts: 0, status: 'created' });
    expect(await callOf(placing.call)).toMatchObject({ status: 'failed', dial_in_doubt: true });
    expect(await attemptOf(placing.call)).toEqual({ state: 'settled', outcome: 'unknown' });
    expect(await leadOf(placing.lead)).toMatchObject({ state: 'done', status: 'reached-max-retries' });
    expect(await callOf(answered.call)).toMatchObject({ status: 'completed', end_reason: 'line_lost' });
    expect(await attemptOf(answered.call)).toEqual({ state: 'settled', outcome: 'answered' });
    expect(await leadOf(answered.lead)).toMatchObject({ state: 'done', status: 'completed' });
    expect(await walletOf()).toEqual({ balance: 100_000_000, held: 0 });
    expect(await app.query('SELECT FROM webhook_deliveries')).toEqual([]);
    expect(await copy.settle(new Set())).toBe(0);
    // The audit log has each run.
    const runs = await app.query(
      "SELECT user_id, action, status FROM audit_log_entries WHERE via = 'operator'",
    );
    const run = { user_id: null, action: 'after-restore', status: 200 };
    expect(runs).toEqual([run, run]);
  });

  it('stay where a process of the paused copy renews their lease', async () => {
    const { call } = await callAt('open', 'in-progress');
    await app.query(
      "UPDATE active_calls SET lease_until = now() + interval '10 seconds' WHERE call_id = $1",
      [call],
    );
    expect((await copy.findWaiting()).openCalls).toBe(0);
    expect(await copy.settle(new Set())).toBe(0);
    expect(await callOf(call)).toMatchObject({ status: 'in-progress' });
  });

  it('leave queued work alone that is not named', async () => {
    await app.query("INSERT INTO file_cleanups (file_key, due_at) VALUES ('recordings/1/a.mp3', now())");
    await app.query(
      `INSERT INTO carrier_orders (id, user_id, phone_number, kind) VALUES (gen_random_uuid(), $1, '+12125550100', 'release')`,
      [owner.userId],
    );
    await app.query(
      `INSERT INTO emails (id, user_id, recipient, sealed_content, expires_at)
       VALUES (gen_random_uuid(), $1, 'ana@example.com', 'sealed', now() + interval '1 day')`,
      [owner.userId],
    );
    await copy.settle(new Set(['file-deletions']));
    const { droppable } = await copy.findWaiting();
    expect(droppable).toEqual({ webhooks: 0, 'e-mails': 1, 'file-deletions': 0, 'carrier-orders': 1 });
    await copy.settle(new Set(['e-mails', 'carrier-orders']));
    expect((await copy.findWaiting()).droppable).toMatchObject({ 'e-mails': 0, 'carrier-orders': 0 });
  });

  it('include calls that verify numbers, which fail without a call', async () => {
    await app
      .as(owner)
      .post('/api/user/phone-numbers/verifications')
      .send({ phone_number: phoneNumber(numbers++) })
      .expect(201);
    expect((await copy.findWaiting()).verificationCalls).toBe(1);
    await copy.settle(new Set());
    expect((await copy.findWaiting()).verificationCalls).toBe(0);
    expect(await walletOf()).toEqual({ balance: 100_000_000, held: 0 });
  });
});
