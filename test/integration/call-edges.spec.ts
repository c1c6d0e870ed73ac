import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallsConfig } from '../../src/config/config.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { CallAdoptionService } from '../../src/modules/call-sessions/call-adoption.service.js';
import { CallPlacementService } from '../../src/modules/outbound-calls/call-placement.service.js';
import { OutboundCallsService } from '../../src/modules/outbound-calls/outbound-calls.service.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../src/providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { ModelError } from '../../src/providers/llm/model-error.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { CarrierCall } from '../../src/providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../src/providers/telephony/call-carrier-error.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber, createCampaign, createLead } from '../support/campaign-builders.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

/** The state of the breaker that a process bases its decisions on is at most this old. */
const BREAKER_FRESH_MS = 600;
/** A minute passes in three seconds. */
const SPEED = 20;
const MICROS_PER_MINUTE = 72_000;
const BALANCE_MICROS = 10_000_000;
const LONG = 'Temos pão quente, bolos, tortas e café o dia inteiro. '.repeat(6);

/** The ends that are seldom: what a call comes to when a carrier or a model does not do its part. */
describe('a call that goes wrong', () => {
  let app: TestApp;
  let carrier: CallCarrier;
  let owner: TestAccount;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: String(SPEED),
      DATABASE_POOL_SIZE: '16',
      MODEL_TIMEOUT_SECONDS: '1',
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
    });
    carrier = app.app.get(CallCarrier, { strict: false });
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: BALANCE_MICROS / 1_000_000 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    // What one test does to the carrier must not keep the calls of the next from it.
    const opened = await app.query('DELETE FROM carrier_breakers RETURNING carrier');
    if (opened.length > 0) await sleep(BREAKER_FRESH_MS);
  });
  afterAll(() => app.stop());

  const ending = (digits: string) => `+551193${String(10_000 + numbers++)}${digits}`;
  const sweep = () => app.app.get(CallSweepService, { strict: false }).sweep();
  const placement = () => app.app.get(CallPlacementService, { strict: false });
  const outbound = () => app.app.get(OutboundCallsService, { strict: false });

  function assistantWith(overrides: Record<string, unknown> = {}): Promise<{ id: number }> {
    return createAssistant(app, owner, {
      type: 'outbound',
      is_webhook_active: true,
      webhook_url: 'https://hooks.example.com/calls',
      send_webhook_only_on_completed: false,
      post_call_evaluation: false,
      ...overrides,
    });
  }

  async function dial(overrides: Record<string, unknown> = {}, phone = ending('00')): Promise<number> {
    const { id } = await assistantWith(overrides);
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phone, assistant_id: id })
      .expect(200);
    return body.call_id;
  }

  interface Row {
    readonly status: string;
    readonly seconds: number;
    readonly transcript: string;
    readonly cost: number;
    readonly attempt_id: string;
    readonly evaluation: unknown;
    readonly answered_by: string;
  }

  async function read(callId: number): Promise<Row> {
    const [row] = await app.query<Row>(
      `SELECT status, duration_seconds AS seconds, transcript, attempt_id, evaluation, answered_by,
         (carrier_cost_micros + ai_cost_micros)::int AS cost FROM calls WHERE id = $1`,
      [callId],
    );
    if (!row) throw new Error('no such call');
    return row;
  }

  const becomes = (callId: number, ...statuses: readonly string[]) =>
    until(async () => statuses.includes((await read(callId)).status), 30_000);

  /** The call, once nothing is left to do for it: charged to the second, one event, nothing held. */
  async function ended(callId: number): Promise<Row> {
    await until(
      async () => (await app.query('SELECT FROM active_calls WHERE call_id = $1', [callId])).length === 0,
      40_000,
    );
    const call = await read(callId);
    expect(call.cost).toBe((call.seconds * MICROS_PER_MINUTE) / 60);
    expect(
      await app.query(
        'SELECT balance_micros::int AS balance, held_micros::int AS held FROM wallets WHERE user_id = $1',
        [owner.userId],
      ),
    ).toEqual([{ balance: BALANCE_MICROS - call.cost, held: 0 }]);
    expect(
      await app.query('SELECT kind, subject_id FROM webhook_deliveries WHERE user_id = $1', [owner.userId]),
    ).toEqual([{ kind: 'post-call', subject_id: String(callId) }]);
    return call;
  }

  async function carrierCallOf(callId: number): Promise<CarrierCall> {
    const lookup = await carrier.findCall((await read(callId)).attempt_id);
    if (lookup.found !== 'yes') throw new Error('the carrier does not know the call');
    return lookup.call;
  }

  /** Lets a script speak instead of the sandbox's model. */
  function modelSays(turn: ScriptedTurn): void {
    const model = new ScriptedChatModel(() => turn);
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
  }

  describe('a carrier that does not say whether it dialled', () => {
    /** It dials, its answer is lost, and it keeps no keys to ask for. */
    function losesAnswers() {
      const place = carrier.place.bind(carrier);
      const placing = jest.spyOn(carrier, 'place').mockImplementation(async (request) => {
        await place(request);
        throw new CallCarrierError('timeout', 'maybe');
      });
      jest.spyOn(carrier, 'findCall').mockResolvedValue({ found: 'unknown' });
      return placing;
    }

    async function campaignOf(lead: Record<string, unknown>): Promise<{ id: number; leadId: number }> {
      const assistant = await assistantWith();
      await app.as(owner).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
      const id = await createCampaign(app, owner, {
        assistant_id: assistant.id,
        phone_number_ids: [await addPhoneNumber(app, owner)],
        max_retries: 3,
        retry_interval: 10,
      });
      return { id, leadId: await createLead(app, owner, id, lead) };
    }

    it('makes the attempt unknown, and the person is not called again, at any number', async () => {
      const placing = losesAnswers();
      const { id, leadId } = await campaignOf({
        phone_number: ending('00'),
        secondary_contacts: [{ phone_number: ending('00') }],
      });
      await app
        .as(owner)
        .post('/api/user/campaigns/update-status')
        .send({ campaign_id: id, action: 'start' })
        .expect(200);
      const statusOf = async () =>
        (await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200)).body.status;
      await until(async () => (await statusOf()) === 'completed', 20_000);
      await sleep(1_500);

      expect(placing).toHaveBeenCalledTimes(1);
      expect(
        await app.query('SELECT lead_id, number, state, outcome FROM dial_attempts WHERE user_id = $1', [
          owner.userId,
        ]),
      ).toEqual([{ lead_id: leadId, number: 1, state: 'settled', outcome: 'unknown' }]);
      const [call] = await app.query<{ id: number }>('SELECT id FROM calls WHERE user_id = $1', [
        owner.userId,
      ]);
      expect(await ended(call?.id ?? 0)).toMatchObject({ status: 'failed', cost: 0 });
    }, 40_000);

    it('stays in doubt for the process that follows a sender that died', async () => {
      const placing = losesAnswers();
      const { id: campaignId, leadId } = await campaignOf({ phone_number: ending('00') });
      const { callId } = await reserve({ campaignId, leadId });
      expect(await placement().send(callId)).toBe('unknown');
      // Its outcome was not written: the next one asks again.
      expect(await placement().send(callId)).toBe('unknown');
      expect(placing).toHaveBeenCalledTimes(1);
    });

    it('is asked again while it does not answer at all, and taken at its word when it does', async () => {
      const { id: campaignId, leadId } = await campaignOf({ phone_number: ending('00') });
      const { callId } = await reserve({ campaignId, leadId });
      const place = carrier.place.bind(carrier);
      const placing = jest.spyOn(carrier, 'place').mockImplementationOnce(async (request) => {
        await place(request);
        throw new CallCarrierError('timeout', 'maybe');
      });
      const finding = jest
        .spyOn(carrier, 'findCall')
        .mockRejectedValue(new CallCarrierError('unavailable', 'no'));
      expect(await placement().send(callId)).toBe('unknown');
      expect((await read(callId)).status).toBe('initiated');
      finding.mockRestore();
      expect(await placement().send(callId)).toBe('sent');
      expect(placing).toHaveBeenCalledTimes(1);
      expect(await ended(callId)).toMatchObject({ status: 'completed' });
    }, 40_000);
  });

  async function reserve(of: { campaignId: number; leadId: number } | null): Promise<{ callId: number }> {
    const { id: assistantId } = await assistantWith();
    return app.app.get(Transactions).run((tx) =>
      outbound().reserve(tx, {
        userId: owner.userId,
        assistantId,
        from: '+551130000000',
        phoneNumberId: null,
        to: ending('00'),
        attemptId: randomUUID(),
        campaign: of && { id: of.campaignId, name: 'Renovação' },
        leadId: of?.leadId ?? null,
        variables: {},
      }),
    );
  }

  describe('a carrier that has forgotten the call', () => {
    /** The call as a process left it that is gone, together with the carrier that was inside of it. */
    async function forgotten(status: string, turns: readonly object[], by = 'sandbox'): Promise<number> {
      const { callId } = await reserve(null);
      await app.query(
        `UPDATE calls SET status = $2, started_at = now(), answered_at = CASE WHEN $2 = 'in-progress' THEN now() END
         WHERE id = $1`,
        [callId, status],
      );
      await app.query(
        `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
         SELECT call.id, call.user_id, given.at - 1, given.turn ->> 'speaker', given.turn ->> 'text',
           (given.turn ->> 'startMs')::int, (given.turn ->> 'endMs')::int, false
         FROM calls call CROSS JOIN jsonb_array_elements($2) WITH ORDINALITY AS given (turn, at) WHERE call.id = $1`,
        [callId, JSON.stringify(turns)],
      );
      await app.query(
        `UPDATE active_calls SET stage = 'open', carrier = $3, carrier_call_id = $2, lease_token = gen_random_uuid(),
           lease_until = now() WHERE call_id = $1`,
        [callId, `sandbox-${randomUUID()}`, by],
      );
      await sweep();
      return callId;
    }

    it('ends it, charged to the last word on record', async () => {
      const callId = await forgotten('in-progress', [
        { speaker: 'assistant', text: 'Olá!', startMs: 0, endMs: 800, interrupted: false },
        { speaker: 'customer', text: 'Oi.', startMs: 8_500, endMs: 9_000, interrupted: false },
      ]);
      expect(await ended(callId)).toMatchObject({
        status: 'completed',
        seconds: 9,
        transcript: 'AI: Olá!\nCustomer: Oi.',
        answered_by: 'unknown',
      });
    }, 40_000);

    it('ends it in the same way where its line died with its process', async () => {
      const callId = await forgotten(
        'in-progress',
        [{ speaker: 'assistant', text: 'Olá!', startMs: 0, endMs: 4_000, interrupted: false }],
        'lines-of-a-process',
      );
      expect(await ended(callId)).toMatchObject({
        status: 'completed',
        seconds: 4,
        transcript: 'AI: Olá!',
      });
    }, 40_000);

    it('lets one that still rang fail, which costs nothing', async () => {
      expect(await ended(await forgotten('ringing', []))).toMatchObject({ status: 'failed', seconds: 0 });
    }, 40_000);
  });

  it('is over when its owner hangs up, with what was heard until then', async () => {
    const greeting = LONG.slice(0, 150).trim();
    const callId = await dial({ initial_message: greeting });
    await becomes(callId, 'in-progress');
    await app.as(owner).post(`/api/user/calls/${callId}/hangup`).expect(200);
    const call = await ended(callId);
    const { body } = await app.as(owner).get(`/api/user/calls/${callId}`).expect(200);

    expect(call.status).toBe('completed');
    expect((await carrierCallOf(callId)).end?.by).toBe('platform');
    expect(body.turns).toEqual([
      {
        role: 'assistant',
        text: greeting,
        start_ms: expect.any(Number),
        end_ms: expect.any(Number),
        interrupted: true,
      },
    ]);
    expect(Math.round(body.turns[0].end_ms / 1_000)).toBeLessThanOrEqual(call.seconds + 1);
    await app.as(owner).post(`/api/user/calls/${callId}/hangup`).expect(409);
  }, 40_000);

  describe('a hand-over', () => {
    const handOver = { name: 'handoff_to_assistant', args: { assistant: 'Vendas' } };
    const stateOf = (callId: number) =>
      app.query('SELECT speaker_id AS speaker, handoffs FROM active_calls WHERE call_id = $1', [callId]);

    /** Returns the other assistant's id, and how often the call's own was asked. */
    async function handsOver(status: string): Promise<{ id: number; readonly own: number }> {
      const { id } = await createAssistant(app, owner, {
        name: 'Vendas',
        system_prompt: 'Você vende bolos.',
      });
      for (const next of ['active', status]) {
        await app.as(owner).put(`/api/user/assistant/${id}`).send({ status: next }).expect(200);
      }
      const asked = { id, own: 0 };
      const model = new ScriptedChatModel(({ messages }) => {
        if (messages[0]?.content.includes('Você vende bolos.')) return { text: LONG };
        return asked.own++ === 0 ? { calls: [handOver] } : { text: 'Comigo mesmo.' };
      });
      jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
      return asked;
    }

    const toSales = (id: number) => ({
      tools: [
        {
          type: 'handoff',
          destinations: [{ assistant_id: id, description: 'Compras', message: 'Já passo.' }],
        },
      ],
      name: 'Recepção',
    });

    it('is kept with the call: an adopting process continues with the assistant that speaks now', async () => {
      const sales = await handsOver('active');
      const callId = await dial(toSales(sales.id));
      const taken = JSON.stringify([{ speaker: sales.id, handoffs: 1 }]);
      await until(async () => JSON.stringify(await stateOf(callId)) === taken, 30_000);
      await app.app.get(CallAdoptionService, { strict: false }).adopt(callId, true);
      const { cost } = await ended(callId);
      const { body } = await app.as(owner).get(`/api/user/calls/${callId}`).expect(200);

      expect(cost).toBeGreaterThan(0);
      expect(body.assistant_name).toBe('Recepção');
      // What was said last before the adoption is on record where it was written in time.
      const speakers: (string | undefined)[] = body.turns
        .filter(({ role }: { role: string }) => role === 'assistant')
        .map(({ assistant_name: name }: { assistant_name?: string }) => name);
      expect(speakers).toContain('Vendas');
      expect(speakers.slice(speakers.indexOf('Vendas'))).not.toContain(undefined);
      expect(sales.own).toBe(1);
    }, 60_000);

    it('does not go to an assistant that is switched off', async () => {
      const sales = await handsOver('inactive');
      const callId = await dial(toSales(sales.id));
      await ended(callId);

      expect(sales.own).toBeGreaterThan(1);
      expect((await read(callId)).transcript).toContain('AI: Comigo mesmo.');
    }, 60_000);
  });

  describe('a transfer', () => {
    const transferring = {
      tools: [{ type: 'call_transfer', phone_number: '+5511987654307', description: 'x' }],
    };
    const transfers = () => modelSays({ text: 'Um momento.', calls: [{ name: 'transfer_call' }] });
    const progressIs = (callId: number, wanted: CarrierCall['transfer']) =>
      until(
        async () =>
          (await read(callId)).status === 'in-progress' && (await carrierCallOf(callId)).transfer === wanted,
        20_000,
      );

    it('is charged to the end of the talk it leads to', async () => {
      transfers();
      const callId = await dial(transferring);
      await progressIs(callId, 'connected');
      const call = await ended(callId);
      const { end } = await carrierCallOf(callId);

      expect(call.status).toBe('completed');
      expect(call.seconds).toBe(Math.round((end?.answeredMs ?? 0) / 1_000));
      // Ringing for three seconds and ten of talk come after the assistant's last word.
      expect(call.seconds).toBeGreaterThan(13);
      expect(end?.by).toBe('customer');
      expect(call.transcript).toMatch(/AI: Um momento\.$/);
    }, 40_000);

    it('ends at max_duration all the same', async () => {
      transfers();
      const callId = await dial({ ...transferring, max_duration: 20, initial_message: LONG.slice(0, 150) });
      await progressIs(callId, 'connected');
      const call = await ended(callId);

      expect((await carrierCallOf(callId)).end?.by).toBe('platform');
      expect(call.seconds).toBe(20);
    }, 40_000);

    it.each(['running', 'connected'] as const)(
      'is completed without a word by a process that adopts the call: %s',
      async (progress) => {
        transfers();
        const callId = await dial(transferring);
        await progressIs(callId, progress);
        const says = 'text' in carrier.media ? jest.spyOn(carrier.media.text, 'say') : null;
        await app.app.get(CallAdoptionService, { strict: false }).adopt(callId, true);
        const call = await ended(callId);

        expect(call).toMatchObject({ status: 'completed', answered_by: 'human' });
        expect((await carrierCallOf(callId)).end?.by).toBe('customer');
        expect(says).not.toHaveBeenCalled();
      },
      40_000,
    );
  });

  it('is hung up in the end when the carrier does not hear it at once', async () => {
    modelSays({ text: 'Tchau!', calls: [{ name: 'end_call' }] });
    const hangUp = jest
      .spyOn(carrier, 'hangUp')
      .mockRejectedValueOnce(new CallCarrierError('unavailable', 'maybe'))
      .mockRejectedValueOnce(new CallCarrierError('timeout', 'maybe'));
    const callId = await dial({ tools: [{ type: 'end_call', description: 'x' }], max_duration: 1_200 });
    const call = await ended(callId);

    expect(hangUp).toHaveBeenCalledTimes(3);
    expect(call.status).toBe('completed');
    // Two seconds of the machine's time were lost by asking again; a busy machine may lose some more.
    expect(call.seconds).toBeLessThan(20 + 10 * SPEED);
  }, 40_000);

  // spec: create-assistant.max_duration
  it('lasts as long as its hold of money allows, also when max_duration changes during the call', async () => {
    modelSays({ text: LONG });
    const { id } = await assistantWith({ max_duration: 20 });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: ending('00'), assistant_id: id })
      .expect(200);
    await app.as(owner).put(`/api/user/assistant/${id}`).send({ max_duration: 600 }).expect(200);
    const call = await ended(body.call_id);

    expect((await carrierCallOf(body.call_id)).end).toMatchObject({ by: 'platform' });
    expect(call.seconds).toBe(20);
  }, 40_000);

  it('costs the price per minute of its start, also when the price changes during the call', async () => {
    modelSays({ text: LONG });
    const callId = await dial({ max_duration: 20 });
    await becomes(callId, 'in-progress');
    const prices = app.app.get(CallsConfig, { strict: false });
    const { pricePerMinuteMicros } = prices;
    Object.assign(prices, { pricePerMinuteMicros: 10 * pricePerMinuteMicros });
    const call = await ended(callId).finally(() => Object.assign(prices, { pricePerMinuteMicros }));

    expect(call).toMatchObject({ status: 'completed', seconds: 20, cost: 24_000 });
  }, 40_000);

  describe('of a deleted campaign', () => {
    async function ofDeletedCampaign(change: string): Promise<number> {
      const campaignId = await createCampaign(app, owner);
      const leadId = await createLead(app, owner, campaignId, { phone_number: ending('00') });
      const { callId } = await reserve({ campaignId, leadId });
      await app.query(`UPDATE active_calls SET ${change} WHERE call_id = $1`, [callId]);
      await app.as(owner).delete(`/api/user/campaign/${campaignId}`).expect(200);
      return callId;
    }
    const old = "stage_since = now() - interval '2 minutes'";

    it.each([
      ['that waits', "stage = 'waiting'"],
      ['whose sender died', "stage = 'placing'"],
    ])('%s is never dialled', async (_title, stage) => {
      const placing = jest.spyOn(carrier, 'place');
      const callId = await ofDeletedCampaign(`${stage}, ${old}`);
      await sweep();
      expect(await ended(callId)).toMatchObject({ status: 'failed', cost: 0 });
      expect(placing).not.toHaveBeenCalled();
    });

    it('that is still being sent is left to its sender for a minute', async () => {
      const callId = await ofDeletedCampaign("stage = 'placing'");
      await sweep();
      expect((await read(callId)).status).toBe('initiated');
    });
  });

  describe('the evaluation', () => {
    const evaluating = { post_call_evaluation: true, post_call_schema: [] };
    const isEvaluation = ({ toolChoice }: ChatRequest) => toolChoice === 'required';

    /** A model that talks like the sandbox's and evaluates in its own way. */
    function evaluatesBy(evaluate: (asked: number, signal?: AbortSignal) => Promise<void>): {
      asked: number;
    } {
      const registry = app.app.get(ChatModelRegistry, { strict: false });
      const talks = registry.installation;
      const count = { asked: 0 };
      const model: ChatModel = {
        provider: 'openai-compatible',
        capabilities: talks.capabilities,
        async *stream(request, options): AsyncGenerator<ChatChunk> {
          if (!isEvaluation(request)) return yield* talks.stream(request, options);
          await evaluate(++count.asked, options?.signal);
          const report = { status: true, summary: 'Bem.' };
          const toolCall = { id: '1', name: 'report_evaluation', arguments: JSON.stringify(report) };
          yield { type: 'tool-call', toolCall };
          yield { type: 'finish', reason: 'tool-calls', usage: null };
        },
      };
      jest.spyOn(registry, 'select').mockResolvedValue(model);
      return count;
    }

    it('by a model that hangs ends in time, with unknown values', async () => {
      evaluatesBy(
        (_asked, signal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new ModelError('aborted')), { once: true });
          }),
      );
      const callId = await dial(evaluating);
      await becomes(callId, 'ended_by_customer');
      const startedAt = performance.now();
      const call = await ended(callId);

      expect(call).toMatchObject({ status: 'completed', evaluation: { status: null, summary: null } });
      // Twice the time of one answer, which is a second here.
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    }, 40_000);

    it('is made when the model is back', async () => {
      const count = evaluatesBy(async (asked) => {
        if (asked <= 2) throw new ModelError('unavailable');
      });
      const call = await ended(await dial(evaluating));

      expect(call).toMatchObject({ status: 'completed', evaluation: { status: true, summary: 'Bem.' } });
      expect(count.asked).toBe(3);
    }, 40_000);

    it('is under way once at a time, however often the sweep misses it', async () => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const count = evaluatesBy(() => released);
      const callId = await dial(evaluating);
      await until(async () => count.asked === 1, 20_000);
      await app.query(
        "UPDATE active_calls SET stage_since = now() - interval '5 minutes' WHERE call_id = $1",
        [callId],
      );
      for (let i = 0; i < 5; i++) await sweep();
      await sleep(300);
      release();

      expect(await ended(callId)).toMatchObject({ evaluation: { status: true } });
      expect(count.asked).toBe(1);
    }, 40_000);

    it('that has not run for ten minutes no longer keeps the call active', async () => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const count = evaluatesBy(() => released);
      const callId = await dial(evaluating);
      await until(async () => count.asked === 1, 20_000);
      await app.query(
        "UPDATE active_calls SET stage_since = now() - interval '11 minutes' WHERE call_id = $1",
        [callId],
      );
      await sweep();

      expect(await ended(callId)).toMatchObject({
        status: 'completed',
        evaluation: { status: null, summary: null },
      });
      release();
    }, 40_000);
  });
});
