import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import type { InboundRoutingSubject } from './inbound-routing.conformance.js';

type Body = Record<string, unknown>;

const CALLER = '+5511987650000';
const NEVER_OPEN = {
  timezone: 'UTC',
  weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }],
  closed_dates: [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)),
};
/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
const OK = { status: 'ok', error: null, ms: expect.any(Number) };

/** Defines what the lookup of a number does with calls from outside, on each carrier that takes them. */
export function describeInboundLookups(name: string, subjectOf: () => InboundRoutingSubject): void {
  describe(`the lookup of a number of ${name}`, () => {
    let subject: InboundRoutingSubject;
    let crm: LocalServer;
    let owner: TestAccount;
    let line: { readonly id: number; readonly number: string };
    let store: number;
    let night: number;
    let asked: Body[];
    let answer: (response: ServerResponse) => void;

    beforeAll(async () => {
      subject = subjectOf();
      crm = await LocalServer.start((request, response) => {
        asked.push(JSON.parse(request.body) as Body);
        answer(response);
      });
    });
    beforeEach(async () => {
      asked = [];
      owner = await subject.app.account({ balanceUsd: 10 });
      line = await subject.addNumber(owner);
      store = await assistant(owner, 'Loja', { phone_number_id: line.id });
      night = await assistant(owner, 'Noite');
      const as = subject.app.as(owner);
      await as.post('/api/user/webhook-endpoints').send({ url: 'https://example.com/hook' }).expect(201);
    });
    afterAll(() => crm.stop());

    const says = (body: unknown) => {
      answer = (response) => answerJson(response, body);
    };
    async function assistant(account: TestAccount, called: string, overrides: Body = {}): Promise<number> {
      const { app } = subject;
      const { id } = await createAssistant(app, account, {
        name: called,
        type: 'inbound',
        ...PATIENT,
        ...overrides,
      });
      await app.as(account).put(`/api/user/assistant/${id}`).send({ status: 'active' }).expect(200);
      return id;
    }
    const route = (body: Body = {}) =>
      subject.app
        .as(owner)
        .put(`/api/user/phone-numbers/${line.id}/routing`)
        .send({ lookup_url: `${crm.url}/who`, ...body })
        .expect(200);
    const calls = async () =>
      (await subject.app.as(owner).get('/api/user/calls').expect(200)).body.data as (Body & {
        readonly id: number;
      })[];
    const lookups = async () =>
      (await subject.app.as(owner).get(`/api/user/phone-numbers/${line.id}/routing/lookups`).expect(200)).body
        .data as Body[];
    const openCalls = () => subject.app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId]);
    const incoming = async () =>
      (
        await subject.app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'call.incoming' ORDER BY id",
          [owner.userId],
        )
      ).map(({ body }) => (JSON.parse(body) as { data: Body }).data);
    const heldMicros = async () =>
      (
        await subject.app.query<{ held: string }>(
          'SELECT held_micros::text AS held FROM wallets WHERE user_id = $1',
          [owner.userId],
        )
      )[0]?.held;

    /** Calls, is answered, and hangs up. @param firstWords that are waited for before; left out: none */
    async function isAnswered(firstWords?: string): Promise<Body> {
      const caller = subject.call(CALLER, line.number);
      expect(await caller.meets()).toBe('answer');
      await until(async () => (await calls())[0]?.status === 'in-progress', 20_000);
      const [{ id } = { id: 0 }] = await calls();
      const read = async () =>
        (await subject.app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body as Body;
      const said = async () => ((await read()).turns as { text: string }[])[0]?.text;
      if (firstWords !== undefined) await until(async () => (await said()) === firstWords, 30_000);
      caller.hangUp();
      await until(async () => (await openCalls()).length === 0, 30_000);
      expect(await calls()).toHaveLength(1);
      return read();
    }

    /** Calls, and is turned away with a call on record. */
    async function isTurnedAway(routing: Body): Promise<void> {
      expect(await subject.call(CALLER, line.number).meets()).toBe('busy');
      await until(async () => (await calls()).length > 0, 10_000);
      const [call] = await calls();
      expect(call).toMatchObject({ status: 'busy', assistant_name: '', total_cost: 0, routing });
      expect(await incoming()).toMatchObject([{ id: call?.id, status: 'busy', routing }]);
      expect(await openCalls()).toEqual([]);
      expect(await heldMicros()).toBe('0');
    }

    it('gives variables and first words to the assistant that answers, and knows the call', async () => {
      await route();
      says({ variables: { nome: 'Ana' }, initial_message: 'Oi, {{nome}}!' });
      const call = await isAnswered('Oi, Ana!');
      const routing = { branch: 'open', action: 'assistant', reason: null, lookup: OK };
      expect(call).toMatchObject({
        assistant_name: 'Loja',
        routing,
        variables: { nome: 'Ana', customer_phone: CALLER },
      });
      expect(asked).toEqual([
        {
          event: 'call.incoming',
          type: 'inbound',
          at: expect.any(String),
          customer_phone: CALLER,
          assistant_phone: line.number,
          phone_number_id: line.id,
          assistant_id: store,
          call_id: call.id,
          sip_headers: {},
        },
      ]);
      expect(await incoming()).toMatchObject([{ id: call.id, assistant_id: store, routing }]);
      expect(await lookups()).toMatchObject([
        { call_id: call.id, status: 'ok', http_status: 200, error: null },
      ]);
    }, 120_000);

    it('gives them to the assistant of the night, where the hours decide', async () => {
      await route({ hours: NEVER_OPEN, closed: { action: 'assistant', assistant_id: night } });
      says({ nome: 'Ana' });
      expect(await isAnswered()).toMatchObject({
        assistant_name: 'Noite',
        variables: { nome: 'Ana' },
        routing: { branch: 'closed', action: 'assistant', reason: 'closed_date', lookup: OK },
      });
      expect(asked).toMatchObject([{ assistant_id: night }]);
    }, 120_000);

    it.each([
      ['an assistant', () => ({ assistant_id: night }), 'Noite'],
      ['the action answer', () => ({ action: 'answer' }), 'Loja'],
    ])(
      'wins over the hours with %s',
      async (_what, body, assistantName) => {
        await route({ hours: NEVER_OPEN });
        says(body());
        expect(await isAnswered()).toMatchObject({
          assistant_name: assistantName,
          routing: { branch: 'lookup', action: 'assistant', reason: 'lookup', lookup: OK },
        });
      },
      120_000,
    );

    it('turns callers away', async () => {
      await route();
      says({ action: 'reject' });
      await isTurnedAway({ branch: 'lookup', action: 'reject', reason: 'lookup', lookup: OK });
      const [call] = await calls();
      expect(asked).toMatchObject([{ call_id: call?.id }]);
      expect(await lookups()).toMatchObject([{ call_id: call?.id, status: 'ok' }]);
    }, 60_000);

    it.each<[string, () => Promise<unknown>, Body]>([
      [
        'does not answer in time',
        async () => {
          answer = () => undefined;
        },
        { status: 'timeout', error: null },
      ],
      [
        "names another account's assistant",
        async () => {
          const stranger = await subject.app.account({ balanceUsd: 10 });
          says({ assistant_id: await assistant(stranger, 'Estranha'), variables: { nome: 'Ana' } });
        },
        { status: 'ignored', error: 'unknown_assistant' },
      ],
    ])(
      'counts for nothing where the server %s',
      async (_what, prepare, outcome) => {
        await route({ lookup_timeout_ms: 500 });
        await prepare();
        const call = await isAnswered();
        expect(call).toMatchObject({
          assistant_name: 'Loja',
          routing: { branch: 'open', action: 'assistant', reason: null, lookup: outcome },
        });
        expect(call.variables).not.toHaveProperty('nome');
        expect(await lookups()).toMatchObject([{ call_id: call.id, ...outcome }]);
      },
      120_000,
    );

    it('falls back where the assistant that it names finds no line', async () => {
      await route({ unavailable: { action: 'busy' } });
      says({ assistant_id: night });
      await subject.app.query('UPDATE plans SET max_calls_in_parallel = 0');
      try {
        await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'account_full', lookup: OK });
      } finally {
        await subject.app.query('UPDATE plans SET max_calls_in_parallel = 10');
      }
    }, 60_000);

    it('leaves no call open where the caller hangs up while the server is asked', async () => {
      await route({ lookup_timeout_ms: 2_000 });
      answer = (response) => void setTimeout(() => answerJson(response, { nome: 'Ana' }), 1_000);
      const caller = subject.call(CALLER, line.number);
      await until(async () => asked.length === 1, 20_000);
      caller.hangUp();
      await until(async () => (await calls()).length === 1, 20_000);
      await until(async () => (await openCalls()).length === 0, 60_000);
      expect(await heldMicros()).toBe('0');
      const live = (await calls()).filter(({ status }) => ['initiated', 'ringing'].includes(String(status)));
      expect(live).toEqual([]);
    }, 120_000);

    it('asks no one for an account that cannot pay for the line, and for numbers that are none', async () => {
      await route();
      says({});
      await subject.app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
      await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'balance', lookup: null });
      expect(await subject.call(CALLER, '+551139999999').meets()).not.toBe('answer');
      expect(asked).toEqual([]);
    }, 60_000);

    it('delays no other calls while its server does not answer', async () => {
      await route({ lookup_timeout_ms: 7_500 });
      answer = () => undefined;
      const other = await subject.addNumber(owner);
      await assistant(owner, 'Outra', { phone_number_id: other.id });
      const waiting = Array.from({ length: 5 }, (_, at) =>
        subject.call(`+551198765001${String(at)}`, line.number),
      );
      await until(async () => asked.length === waiting.length, 20_000);
      const caller = subject.call(CALLER, other.number);
      const startedAt = performance.now();
      expect(await caller.meets()).toBe('answer');
      expect(performance.now() - startedAt).toBeLessThan(6_000);
      expect((await lookups()).length).toBe(0);
      for (const call of [caller, ...waiting]) call.hangUp();
      await until(async () => (await lookups()).length === waiting.length, 20_000);
      // Calls are written after their lookups, and take lines of the platform until they are over.
      await sleep(1_000);
      await until(async () => (await openCalls()).length === 0, 60_000);
    }, 120_000);
  });
}
