import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { CallRateLimiter } from '../../src/modules/active-calls/rate-limit/call-rate-limiter.js';
import { SandboxCarrierServer } from '../../src/providers/telephony/sandbox/sandbox-carrier-server.js';
import type { SandboxDialLog } from '../../src/providers/telephony/sandbox/sandbox-dial-log.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

/** A minute passes in 1.2 seconds: slow enough for something to happen in the middle of a call. */
const SPEED = 50;
const MAX_DURATION_SECONDS = 60;
/** What is held for the longest call at these prices. */
const HOLD_MICROS = 72_000;

/** What begins or ends while a campaign runs, seen from the far side: from the carrier's own log of dials. */
describe('a campaign that may not go on', () => {
  let app: TestApp;
  let carrier: SandboxCarrierServer;
  let folder: string;
  let owner: TestAccount;
  let numbers = 0;

  async function startApp(environment: Record<string, string> = {}): Promise<TestApp> {
    return TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_CARRIER_URL: carrier.url,
      SANDBOX_SPEED: String(SPEED),
      DATABASE_POOL_SIZE: '16',
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
      ...environment,
    });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-refusals-'));
    carrier = await SandboxCarrierServer.start({
      port: 0,
      journalPath: join(folder, 'calls.jsonl'),
      speed: SPEED,
    });
    app = await startApp();
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 10 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await app.stop();
    await carrier.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A number of its own, that the sandbox answers by its last two digits. */
  const ending = (digits: string) => `+551192${String(10_000 + numbers++)}${digits}`;

  interface Running {
    readonly id: number;
    readonly assistantId: number;
    readonly phoneNumberId: number;
    readonly leads: readonly number[];
  }

  /** A campaign that may call on any day at any hour, not yet started. */
  async function campaignOf(
    phones: readonly string[],
    settings: Record<string, unknown> = {},
  ): Promise<Running> {
    const assistantId = await createOutboundAssistant(app, owner, {
      max_duration: MAX_DURATION_SECONDS,
      initial_message: 'Olá! Aqui é da Padaria Central.',
    });
    await app.as(owner).put(`/api/user/assistant/${assistantId}`).send({ status: 'active' }).expect(200);
    const phoneNumberId = await addPhoneNumber(app, owner);
    const id = await createCampaign(app, owner, {
      assistant_id: assistantId,
      phone_number_ids: [phoneNumberId],
      max_retries: 1,
      retry_interval: 10,
      max_calls_in_parallel: 1,
      ...settings,
    });
    const leads: number[] = [];
    for (const phone of phones) leads.push(await createLead(app, owner, id, { phone_number: phone }));
    return { id, assistantId, phoneNumberId, leads };
  }

  const start = (id: number) =>
    app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: id, action: 'start' })
      .expect(200);

  const progressOf = async (id: number) =>
    (await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200)).body;
  const isCompleted = async (id: number) => (await progressOf(id)).status === 'completed';

  async function dialsTo(phones: readonly string[]): Promise<SandboxDialLog['dials']> {
    const response = await fetch(`${carrier.url}/log`);
    const { dials } = (await response.json()) as SandboxDialLog;
    return dials.filter(({ to }) => phones.includes(to));
  }

  const leadStatus = async (id: number) =>
    (await app.query<{ status: string }>('SELECT status FROM leads WHERE id = $1', [id]))[0]?.status;

  const isTalking = async ({ id }: Running) =>
    (
      await app.query(
        "SELECT FROM calls WHERE user_id = $1 AND campaign_id = $2 AND status = 'in-progress'",
        [owner.userId, id],
      )
    ).length > 0;

  /** Nothing is under way any more: no line, no money, no attempt. */
  async function expectNothingOpen(): Promise<void> {
    await until(
      async () =>
        (await app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId])).length === 0 &&
        (
          await app.query("SELECT FROM dial_attempts WHERE user_id = $1 AND state <> 'settled'", [
            owner.userId,
          ])
        ).length === 0,
      30_000,
    );
    const [books] = await app.query<{ held: number; difference: number }>(
      `SELECT held_micros::int AS held,
         (balance_micros - (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1))::int AS difference
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );
    expect(books).toEqual({ held: 0, difference: 0 });
  }

  it('does not call a number that joins the do-not-call list while the campaign runs, and calls the others', async () => {
    const phones = ['00', '00', '00', '00'].map(ending);
    const { id, leads } = await campaignOf(phones);
    await start(id);
    await until(async () => (await dialsTo(phones)).length > 0);
    const listed = phones.at(-1) ?? '';
    await app.as(owner).post('/api/user/do-not-call').send({ phone_number: listed }).expect(201);
    await until(() => isCompleted(id), 30_000);

    expect(await dialsTo([listed])).toEqual([]);
    expect(await dialsTo(phones)).toHaveLength(3);
    expect(await Promise.all(leads.map(leadStatus))).toEqual([
      'completed',
      'completed',
      'completed',
      'reached-max-retries',
    ]);
    await expectNothingOpen();
  }, 60_000);

  it('waits when the balance does not pay another call, and goes on when it is topped up', async () => {
    owner = await app.account({ balanceUsd: (HOLD_MICROS + 5_000) / 1_000_000 });
    const phones = ['00', '00', '00'].map(ending);
    const { id } = await campaignOf(phones);
    await start(id);
    await until(async () => (await progressOf(id)).leads.completed === 1, 20_000);
    await sleep(2_500);

    expect(await dialsTo(phones)).toHaveLength(1);
    expect(await progressOf(id)).toMatchObject({ status: 'in-progress' });
    await expectNothingOpen();
    await app.app.get(BillingService).credit(owner.userId, 1_000_000, 'top-up');
    await until(() => isCompleted(id), 30_000);
    expect(await dialsTo(phones)).toHaveLength(3);
    await expectNothingOpen();
  }, 60_000);

  it('never has more calls than the plan allows, whatever the campaign asks for', async () => {
    const phones = ['00', '07', '08', '09', '10'].map(ending);
    const { id } = await campaignOf(phones, { max_calls_in_parallel: 3 });
    await app.query(
      `WITH plan AS (
         INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel, max_knowledgebases)
         VALUES ('one-line', 'One line', 5, 5, 5, 1, 5) RETURNING id)
       UPDATE users SET plan_id = (SELECT id FROM plan) WHERE id = $1`,
      [owner.userId],
    );
    await start(id);
    await until(() => isCompleted(id), 40_000);

    const dials = [...(await dialsTo(phones))].sort((a, b) => a.dialledAt - b.dialledAt);
    expect(dials).toHaveLength(5);
    for (const [index, { dialledAt }] of dials.entries()) {
      const before = dials[index - 1];
      if (before) expect(before.endedAt).toBeLessThanOrEqual(dialledAt);
    }
    await expectNothingOpen();
  }, 60_000);

  it('estimates its end while it runs, from the pace so far', async () => {
    const phones = ['00', '00', '00', '00'].map(ending);
    const { id } = await campaignOf(phones);
    expect((await progressOf(id)).estimated_end).toBeNull();
    await start(id);
    await until(async () => (await progressOf(id)).leads.completed >= 1, 20_000);
    const { status, estimated_end: estimatedEnd } = await progressOf(id);
    expect(status).toBe('in-progress');
    const waitMs = Date.parse(estimatedEnd) - Date.now();
    // Four short calls, one after the other: seconds, and neither the past nor hours.
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(60_000);
    await until(() => isCompleted(id), 40_000);
    expect((await progressOf(id)).estimated_end).toBeNull();
  }, 60_000);

  describe('when what it calls with is deleted during a call', () => {
    // spec: call.campaign_name
    it('campaign: the call is hung up and stays as history, and no other lead is called', async () => {
      const phones = ['00', '00', '00'].map(ending);
      const campaign = await campaignOf(phones);
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      await app.as(owner).delete(`/api/user/campaign/${campaign.id}`).expect(200);
      await expectNothingOpen();

      expect(await dialsTo(phones)).toHaveLength(1);
      const { body } = await app.as(owner).get('/api/user/calls').expect(200);
      expect(body.data).toMatchObject([{ status: 'completed', campaign_name: 'Renovação' }]);
      expect(
        await app.query(
          'SELECT campaign_id, lead_id, attempt_id IS NOT NULL AS dialled FROM calls WHERE user_id = $1',
          [owner.userId],
        ),
      ).toEqual([{ campaign_id: null, lead_id: null, dialled: true }]);
    }, 60_000);

    it('campaign: a lead that was moved to another one during its call is settled there', async () => {
      const campaign = await campaignOf([ending('00')]);
      const other = await campaignOf([]);
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      const lead = campaign.leads[0] ?? 0;
      await app.as(owner).put(`/api/user/leads/${lead}`).send({ campaign_id: other.id }).expect(200);
      await app.as(owner).delete(`/api/user/campaign/${campaign.id}`).expect(200);
      await expectNothingOpen();
      expect(await leadStatus(lead)).toBe('completed');
      await app.as(owner).delete(`/api/user/leads/${lead}`).expect(200);
    }, 60_000);

    it('lead: refused with 409 while it is called; afterwards its call stays', async () => {
      const campaign = await campaignOf([ending('00')], { mark_complete_when_no_leads: false });
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      const path = `/api/user/leads/${campaign.leads[0]}`;
      await app.as(owner).delete(path).expect(409);
      await expectNothingOpen();
      await app.as(owner).delete(path).expect(200);

      expect(
        await app.query('SELECT campaign_id, lead_id, status FROM calls WHERE user_id = $1', [owner.userId]),
      ).toEqual([{ campaign_id: campaign.id, lead_id: null, status: 'completed' }]);
    }, 60_000);

    it('assistant: the call continues to its end and is charged, and no other lead is called', async () => {
      const phones = ['00', '00'].map(ending);
      const campaign = await campaignOf(phones);
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      await app.as(owner).delete(`/api/user/assistant/${campaign.assistantId}`).expect(200);
      await expectNothingOpen();
      await sleep(1_500);

      expect(await dialsTo(phones)).toHaveLength(1);
      const { body } = await app.as(owner).get('/api/user/calls').expect(200);
      expect(body.data).toMatchObject([{ status: 'completed', assistant_name: 'Recepção' }]);
      expect(body.data[0].total_cost).toBeGreaterThan(0);
      expect(body.data[0].transcript).toContain('Customer: ');
    }, 60_000);

    it('number: the call goes on, and the next ones need another number', async () => {
      const phones = ['00', '00'].map(ending);
      const campaign = await campaignOf(phones);
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      await app.as(owner).delete(`/api/user/phone-numbers/${campaign.phoneNumberId}`).expect(200);
      await expectNothingOpen();
      await sleep(1_500);
      expect(await dialsTo(phones)).toHaveLength(1);

      const another = await addPhoneNumber(app, owner);
      await app
        .as(owner)
        .put(`/api/user/campaign/${campaign.id}`)
        .send({ phone_number_ids: [another] })
        .expect(200);
      await until(() => isCompleted(campaign.id), 20_000);
      expect(await dialsTo(phones)).toHaveLength(2);
    }, 60_000);

    it('call: refused with 409 until the lead has its outcome', async () => {
      const campaign = await campaignOf([ending('00')]);
      await start(campaign.id);
      await until(() => isTalking(campaign), 20_000);
      const [call] = await app.query<{ id: number }>('SELECT id FROM calls WHERE user_id = $1', [
        owner.userId,
      ]);
      const attempt = () =>
        app.query<{ state: string }>('SELECT state FROM dial_attempts WHERE user_id = $1', [owner.userId]);
      await until(async () => {
        const { status } = await app.as(owner).delete(`/api/user/calls/${call?.id}`);
        if (status === 409) return false;
        expect([status, await attempt()]).toEqual([200, [{ state: 'settled' }]]);
        return true;
      }, 30_000);
      expect(await leadStatus(campaign.leads[0] ?? 0)).toBe('completed');
    }, 60_000);
  });

  describe('with CALLING_HOURS=on', () => {
    let real: TestApp;

    beforeAll(async () => {
      real = app;
      app = await startApp({ CALLING_HOURS: 'on' });
    }, 60_000);
    afterAll(async () => {
      await app.stop();
      app = real;
    });

    /** Lets it be that moment now; time goes on from there. */
    function timeIs(moment: string): void {
      const aheadMs = Date.parse(moment) - Date.now();
      jest.spyOn(SystemClock.prototype, 'date').mockImplementation(() => new Date(Date.now() + aheadMs));
    }

    it('puts a lead off by a quarter of an hour at night, and calls it in the morning', async () => {
      // Saturday, three in the morning in São Paulo.
      timeIs('2030-01-05T06:00:00Z');
      const phones = [ending('00')];
      const { id, leads } = await campaignOf(phones);
      await start(id);
      // The law's hours go by the calendar; when a lead is due goes by the database's clock.
      const dueInSeconds = async () =>
        (
          await app.query<{ seconds: number }>(
            'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM lead_dials WHERE lead_id = $1',
            leads,
          )
        )[0]?.seconds ?? 0;
      await until(async () => (await dueInSeconds()) > 0);
      expect(await dueInSeconds()).toBeGreaterThan(14 * 60);
      expect(await dueInSeconds()).toBeLessThanOrEqual(15 * 60);
      expect(await dialsTo(phones)).toEqual([]);
      expect(await app.query('SELECT FROM calls WHERE user_id = $1', [owner.userId])).toEqual([]);

      // The Monday after it, at ten.
      timeIs('2030-01-07T13:00:00Z');
      await app.query('UPDATE lead_dials SET due_at = now() WHERE lead_id = $1', [leads[0]]);
      await until(() => isCompleted(id), 30_000);
      expect(await dialsTo(phones)).toHaveLength(1);
    }, 60_000);

    it('makes no call that has waited for its turn until the hours were over', async () => {
      timeIs('2030-01-07T20:59:00Z');
      const pace = jest.spyOn(app.app.get(CallRateLimiter, { strict: false }), 'acquire');
      pace.mockImplementation(async () => {
        timeIs('2030-01-07T21:00:00Z');
        return true;
      });
      const phones = [ending('00')];
      const { id, leads } = await campaignOf(phones);
      await start(id);
      const isPutOff = async () =>
        (await app.query('SELECT FROM lead_dials WHERE lead_id = $1 AND due_at > now()', leads)).length > 0;
      await until(isPutOff, 20_000);
      expect(pace).toHaveBeenCalledTimes(1);
      expect(await dialsTo(phones)).toEqual([]);
      expect(await app.query('SELECT FROM dial_attempts WHERE lead_id = $1', leads)).toEqual([]);
    }, 60_000);

    it('refuses make_call at night with 422, and takes it by day', async () => {
      const assistantId = await createOutboundAssistant(app, owner);
      const call = { phone_number: ending('00'), assistant_id: assistantId };
      timeIs('2030-01-07T22:00:00Z');
      const { body } = await app.as(owner).post('/api/user/make_call').send(call).expect(422);
      expect(Object.keys(body)).toEqual(['message']);
      timeIs('2030-01-07T13:00:00Z');
      await app.as(owner).post('/api/user/make_call').send(call).expect(200);
    });
  });
});
