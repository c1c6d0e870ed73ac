import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { DoNotCallError } from '../../src/modules/calls/calls.errors.js';
import { CallStopsService } from '../../src/modules/call-sessions/ends/call-stops.service.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { addPhoneNumber, createCampaign, createLead } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

/** A minute passes in two seconds: quick, and yet slower than a busy machine. */
const SPEED = 30;
const BALANCE_MICROS = 10_000_000;
const AI_MICROS_PER_MINUTE = 60_000;
const CARRIER_MICROS_PER_MINUTE = 12_000;
const SCHEMA = [
  { name: 'interest', type: 'bool', description: 'Se o cliente tem interesse' },
  { name: 'last_words', type: 'string', description: 'Últimas palavras do cliente' },
];

interface CallBody {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly duration: number;
  readonly transcript: string;
  readonly answered_by: string;
  readonly carrier_cost: number;
  readonly total_cost: number;
  readonly evaluation: Record<string, unknown>;
  readonly variables: Record<string, unknown>;
  readonly webhook_response: Record<string, unknown>;
  readonly recording_url?: string;
}

const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

describe('the life of a call on the sandbox carrier', () => {
  let app: TestApp;
  let receiver: LocalServer;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-calls-'));
    receiver = await LocalServer.start((_request, response) => answerJson(response, { received: true }));
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: String(SPEED),
      DATA_DIR: dataDir,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
    });
  }, 60_000);
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function ownerWith(
    overrides: Record<string, unknown> = {},
  ): Promise<{ owner: TestAccount; assistant: CreatedAssistant }> {
    const owner = await app.account({ balanceUsd: BALANCE_MICROS / 1_000_000 });
    const assistant = await createAssistant(app, owner, {
      type: 'outbound',
      initial_message: 'Olá, {{name}}! Aqui é da Padaria Central.',
      post_call_schema: SCHEMA,
      is_webhook_active: true,
      webhook_url: `${receiver.url}/${owner.userId}`,
      send_webhook_only_on_completed: false,
      ...overrides,
    });
    return { owner, assistant };
  }

  async function dial(owner: TestAccount, assistant: CreatedAssistant, phoneNumber: string): Promise<number> {
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber, assistant_id: assistant.id, variables: { name: 'Ana' } })
      .expect(200);
    return body.call_id;
  }

  async function read(owner: TestAccount, callId: number): Promise<CallBody> {
    const { body } = await app.as(owner).get(`/api/user/calls/${callId}`).expect(200);
    return body;
  }

  async function finished(owner: TestAccount, callId: number): Promise<CallBody> {
    await until(async () => FINAL.includes((await read(owner, callId)).status), 40_000);
    return read(owner, callId);
  }

  const eventsOf = (owner: TestAccount) =>
    receiver.requests.filter(({ path }) => path === `/${owner.userId}`);

  /** What is charged for a call, by its own figures; the ledger, the wallet and the call must agree. */
  async function expectExactMoney(owner: TestAccount, call: CallBody): Promise<void> {
    const part = (perMinute: number) => Math.ceil((perMinute * call.duration) / 60);
    const charged = part(AI_MICROS_PER_MINUTE) + part(CARRIER_MICROS_PER_MINUTE);
    expect(Math.round(call.total_cost * 1_000_000)).toBe(charged);
    expect(Math.round(call.carrier_cost * 1_000_000)).toBe(part(CARRIER_MICROS_PER_MINUTE));
    const entries = await app.query<{ amount: string }>(
      "SELECT amount_micros AS amount FROM ledger_entries WHERE user_id = $1 AND kind = 'call'",
      [owner.userId],
    );
    expect(entries.map(({ amount }) => Number(amount))).toEqual(charged === 0 ? [] : [-charged]);
    const [wallet] = await app.query(
      'SELECT balance_micros::int AS balance, held_micros::int AS held FROM wallets WHERE user_id = $1',
      [owner.userId],
    );
    expect(wallet).toEqual({ balance: BALANCE_MICROS - charged, held: 0 });
    expect(await app.query('SELECT call_id FROM active_calls WHERE user_id = $1', [owner.userId])).toEqual(
      [],
    );
  }

  /** One event for the call, delivered, with the call's own facts. */
  async function expectOneWebhook(owner: TestAccount, call: CallBody): Promise<void> {
    await until(async () => eventsOf(owner).length > 0);
    const deliveries = await app.query<{ event_id: string }>(
      'SELECT event_id FROM webhook_deliveries WHERE user_id = $1',
      [owner.userId],
    );
    expect(deliveries).toHaveLength(1);
    const events = eventsOf(owner);
    expect(new Set(events.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([deliveries[0]?.event_id]),
    );
    expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
      id: call.id,
      status: call.status,
      duration: call.duration,
      transcript: call.transcript,
      extracted_variables: call.evaluation,
      input_variables: { name: 'Ana' },
      lead: null,
      campaign: null,
    });
  }

  // spec: events.post-call-webhook
  it('00: a person answers, talks and hangs up; the call is evaluated, charged to the second and announced', async () => {
    const { owner, assistant } = await ownerWith();
    const call = await finished(owner, await dial(owner, assistant, '+5511987654300'));
    expect(call).toMatchObject({ status: 'completed', type: 'outbound', answered_by: 'human' });
    expect(call.transcript).toMatch(/^AI: Olá, Ana! Aqui é da Padaria Central\.\nCustomer: /);
    expect(call.duration).toBeGreaterThan(0);
    expect(call.variables).toMatchObject({ name: 'Ana', customer_phone: '+5511987654300' });
    expect(call.evaluation).toMatchObject({
      status: true,
      summary: expect.stringContaining('[sandbox]'),
      interest: true,
      last_words: expect.any(String),
    });
    expect(call).not.toHaveProperty('recording_url');
    await expectExactMoney(owner, call);
    await expectOneWebhook(owner, call);
    await until(async () => (await read(owner, call.id)).webhook_response.status_code === 200);
  }, 60_000);

  it.each([
    ['01', 'busy'],
    ['02', 'no-answer'],
    ['04', 'failed'],
    ['06', 'busy'],
  ])(
    '%s: ends as %s, costs nothing and is announced where all ends are',
    async (digits, status) => {
      const { owner, assistant } = await ownerWith();
      const call = await finished(owner, await dial(owner, assistant, `+55119876543${digits}`));
      expect(call).toMatchObject({ status, duration: 0, transcript: '', evaluation: {} });
      await expectExactMoney(owner, call);
      await expectOneWebhook(owner, call);
    },
    60_000,
  );

  it('06: the same number answers at the second attempt', async () => {
    const { owner, assistant } = await ownerWith();
    const number = '+5511987654406';
    expect(await finished(owner, await dial(owner, assistant, number))).toMatchObject({ status: 'busy' });
    expect(await finished(owner, await dial(owner, assistant, number))).toMatchObject({
      status: 'completed',
      answered_by: 'human',
    });
  }, 60_000);

  it('03: a machine answers and hears no conversation', async () => {
    const { owner, assistant } = await ownerWith({ end_call_on_voicemail: true });
    const call = await finished(owner, await dial(owner, assistant, '+5511987654303'));
    expect(call).toMatchObject({ status: 'completed', answered_by: 'machine' });
    expect(call.evaluation).toMatchObject({ status: false });
    await expectExactMoney(owner, call);
    await expectOneWebhook(owner, call);
  }, 60_000);

  it('05: the customer hangs up in the middle; the call is complete all the same', async () => {
    const { owner, assistant } = await ownerWith();
    const callId = await dial(owner, assistant, '+5511987654305');
    const call = await finished(owner, callId);
    expect(call).toMatchObject({ status: 'completed', answered_by: 'human' });
    await expectExactMoney(owner, call);
    await expectOneWebhook(owner, call);
  }, 60_000);

  // spec: events.post-call-webhook
  it('sends no webhook of an unanswered call to an assistant that wants only completed calls', async () => {
    const { owner, assistant } = await ownerWith({ send_webhook_only_on_completed: true });
    await finished(owner, await dial(owner, assistant, '+5511987654501'));
    expect(await app.query('SELECT id FROM webhook_deliveries WHERE user_id = $1', [owner.userId])).toEqual(
      [],
    );
  }, 60_000);

  // spec: create-assistant.post_call_evaluation
  it('completes without an evaluation when none is wished', async () => {
    const { owner, assistant } = await ownerWith({ post_call_evaluation: false });
    const call = await finished(owner, await dial(owner, assistant, '+5511987654500'));
    expect(call).toMatchObject({ status: 'completed', evaluation: {} });
    await expectExactMoney(owner, call);
    await expectOneWebhook(owner, call);
  }, 60_000);

  // spec: create-assistant.max_duration
  it('ends a call at max_duration and charges no more than was held', async () => {
    const { owner, assistant } = await ownerWith({ max_duration: 20, wait_for_customer: true });
    const call = await finished(owner, await dial(owner, assistant, '+5511987654600'));
    expect(call.status).toBe('completed');
    expect(call.duration).toBeLessThanOrEqual(20);
    await expectExactMoney(owner, call);
  }, 60_000);

  it('is ended from outside when it is open beyond all its time', async () => {
    const { owner, assistant } = await ownerWith();
    const callId = await dial(owner, assistant, '+5511987654650');
    await until(async () => (await read(owner, callId)).status === 'in-progress');
    await app.query("UPDATE calls SET answered_at = now() - interval '1 hour' WHERE id = $1", [callId]);
    await app.app.get(CallSweepService, { strict: false }).sweep();
    const call = await finished(owner, callId);
    expect(call.status).toBe('completed');
    await expectExactMoney(owner, call);
    expect(
      await app.query('SELECT id FROM webhook_deliveries WHERE user_id = $1', [owner.userId]),
    ).toHaveLength(1);
  }, 60_000);

  it('cannot delete a call that is going on (409), and can when it is over', async () => {
    const { owner, assistant } = await ownerWith();
    const callId = await dial(owner, assistant, '+5511987654700');
    await app.as(owner).delete(`/api/user/calls/${callId}`).expect(409);
    await finished(owner, callId);
    await app.as(owner).delete(`/api/user/calls/${callId}`).expect(200);
  }, 60_000);

  describe('when a campaign calls', () => {
    async function reserveForLead(phoneNumber: string) {
      const { owner, assistant } = await ownerWith();
      const campaignId = await createCampaign(app, owner, { assistant_id: assistant.id, name: 'Renovação' });
      const leadId = await createLead(app, owner, campaignId, { phone_number: phoneNumber });
      const outbound = app.app.get(OutboundCallsService, { strict: false });
      const placement = app.app.get(CallPlacementService, { strict: false });
      const stops = app.app.get(CallStopsService, { strict: false });
      const reserve = () =>
        app.app.get(Transactions).run((tx) =>
          outbound.reserve(tx, {
            userId: owner.userId,
            assistantId: assistant.id,
            from: '+551130000000',
            phoneNumberId: null,
            to: phoneNumber,
            attemptId: randomUUID(),
            campaign: { id: campaignId, name: 'Renovação' },
            leadId,
            variables: { name: 'Ana' },
          }),
        );
      return { owner, campaignId, leadId, outbound, placement, stops, reserve };
    }

    const statusOf = (callId: number) =>
      app.query('SELECT status, answered_by FROM calls WHERE id = $1', [callId]);

    it('the webhook names the lead and the campaign', async () => {
      const { owner, campaignId, leadId, placement, reserve } = await reserveForLead('+5511987654800');
      const { callId } = await reserve();
      expect(await placement.send(callId)).toBe('sent');
      const call = await finished(owner, callId);
      expect(await statusOf(callId)).toEqual([{ status: 'completed', answered_by: 'human' }]);
      await expectExactMoney(owner, call);
      await until(async () => eventsOf(owner).length > 0);
      expect(JSON.parse(eventsOf(owner)[0]?.body ?? '')).toMatchObject({
        lead: { id: leadId, phone_number: '+5511987654800', status: 'created', variables: {} },
        campaign: { id: campaignId, name: 'Renovação', status: 'draft', allowed_days: expect.any(Array) },
      });
    }, 60_000);

    it('a call that was sent is not dialled again, however often it is sent', async () => {
      const { owner, placement, reserve } = await reserveForLead('+5511987654810');
      const place = jest.spyOn(app.app.get(CallCarrier, { strict: false }), 'place');
      const { callId } = await reserve();
      expect(await placement.send(callId)).toBe('sent');
      expect(await placement.send(callId)).toBe('sent');
      await finished(owner, callId);
      expect(await placement.send(callId)).toBe('sent');
      expect(place).toHaveBeenCalledTimes(1);
      place.mockRestore();
    }, 60_000);

    it('a stop ends what talks, and what waits is never dialled; nothing stays held', async () => {
      const { owner, campaignId, outbound, placement, stops, reserve } =
        await reserveForLead('+5511987654820');
      const { callId } = await reserve();
      await stops.stopCampaignCalls(owner.userId, campaignId);
      expect(await placement.send(callId)).toBe('undelivered');
      expect(await app.app.get(Transactions).run((tx) => outbound.withdraw(callId, tx))).toBe(true);
      expect(await statusOf(callId)).toEqual([]);

      const { callId: talking } = await reserve();
      await placement.send(talking);
      await until(async () => (await read(owner, talking)).status === 'in-progress');
      await stops.stopCampaignCalls(owner.userId, campaignId);
      const call = await finished(owner, talking);
      expect(call.status).toBe('completed');
      await expectExactMoney(owner, call);
    }, 60_000);

    it('a number on the do-not-call list is refused in the claim itself', async () => {
      const { owner, reserve } = await reserveForLead('+5511987654830');
      await app.as(owner).post('/api/user/do-not-call').send({ phone_number: '+5511987654830' }).expect(201);
      await expect(reserve()).rejects.toBeInstanceOf(DoNotCallError);
      expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [owner.userId])).toEqual([]);
    }, 60_000);
  });

  describe('when a person calls in', () => {
    const callIn = (from: string, to: string) => {
      const carrier = app.app.get(CallCarrier, { strict: false });
      if (!(carrier instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
      return { carrier, carrierCallId: carrier.callIn(from, to) };
    };

    async function numberOf(owner: TestAccount): Promise<{ id: number; phoneNumber: string }> {
      const id = await addPhoneNumber(app, owner);
      const [row] = await app.query<{ phone_number: string }>(
        'SELECT phone_number FROM phone_numbers WHERE id = $1',
        [id],
      );
      return { id, phoneNumber: row?.phone_number ?? '' };
    }

    // spec: events.inbound-webhook-real
    it('the active inbound assistant of the number answers, and the inbound webhook hears of it once', async () => {
      const owner = await app.account({ balanceUsd: BALANCE_MICROS / 1_000_000 });
      const number = await numberOf(owner);
      const assistant = await createAssistant(app, owner, { type: 'inbound', phone_number_id: number.id });
      await app.as(owner).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
      await app
        .as(owner)
        .post('/api/user/assistants/enable-inbound-webhook')
        .send({ assistant_id: assistant.id, webhook_url: `${receiver.url}/${owner.userId}` })
        .expect(200);

      callIn('+5511912345600', number.phoneNumber);
      await until(async () => {
        const { body } = await app.as(owner).get('/api/user/calls?status=completed');
        return body.total === 1;
      }, 40_000);

      const { body } = await app.as(owner).get('/api/user/calls');
      expect(body.data[0]).toMatchObject({
        type: 'inbound',
        client_phone_number: '+5511912345600',
        assistant_phone_number: number.phoneNumber,
        answered_by: expect.any(String),
      });
      await expectExactMoney(owner, body.data[0]);
      await until(async () => eventsOf(owner).length > 0);
      expect(
        await app.query('SELECT kind FROM webhook_deliveries WHERE user_id = $1', [owner.userId]),
      ).toEqual([{ kind: 'inbound' }]);
    }, 60_000);

    it('a number whose assistant is deactivated is turned away, without a trace among the calls', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const number = await numberOf(owner);
      await createAssistant(app, owner, {
        type: 'inbound',
        phone_number_id: number.id,
        activates_by_use: false,
      });
      const { carrier, carrierCallId } = callIn('+5511912345601', number.phoneNumber);
      for await (const event of carrier.watch(carrierCallId, AbortSignal.timeout(10_000))) {
        if (event.type !== 'ended') continue;
        expect(event.call.answeredAt).toBeNull();
      }
      const { body } = await app.as(owner).get('/api/user/calls').expect(200);
      expect(body.total).toBe(0);
    }, 60_000);
  });
});
