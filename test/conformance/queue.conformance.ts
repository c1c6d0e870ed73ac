import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallRunnerService } from '../../src/modules/call-sessions/call-runner.service.js';
import type { TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import type { CallFromOutside } from './inbound-routing.conformance.js';
import type { ForwardingSubject } from './forwarding.conformance.js';

type Body = Record<string, unknown>;

interface ListedCall {
  readonly id: number;
  readonly status: string;
  readonly assistant_name: string;
  readonly total_cost: number;
  readonly carrier_cost: number;
  readonly duration: number;
  readonly client_phone_number: string;
  readonly routing: Readonly<Body> & { readonly waited_ms: number | null };
}

const CALLER = '+5511987650000';
const QUEUE = { max_waiting: 5, max_seconds: 900, message: 'Um momento, já vamos atender.' };
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
/** In dollars a minute. */
const LINE_PRICE = 0.002;
const ASSISTANT_PRICE = 0.06;

/** Defines how callers wait for a line, on each carrier whose calls this process can let wait. */
export function describeQueue(name: string, subjectOf: () => ForwardingSubject): void {
  describe(`a number of ${name} with a queue`, () => {
    let subject: ForwardingSubject;
    let owner: TestAccount;
    let line: { readonly id: number; readonly number: string };
    const placed: CallFromOutside[] = [];

    beforeAll(() => {
      subject = subjectOf();
    });
    beforeEach(async () => {
      owner = await subject.app.account({ balanceUsd: 100 });
      line = await subject.addNumber(owner);
      await createAssistant(subject.app, owner, { name: 'Loja', phone_number_id: line.id, ...PATIENT });
      const hook = { url: 'https://example.com/hook' };
      await subject.app.as(owner).post('/api/user/webhook-endpoints').send(hook).expect(201);
      await subject.app.query('UPDATE plans SET max_calls_in_parallel = 1');
    });
    afterEach(async () => {
      await subject.app.query('UPDATE plans SET max_calls_in_parallel = 10');
      for (const call of placed.splice(0)) call.hangUp();
      await freeLines();
      await until(async () => (await openCalls()).length === 0, 60_000);
    });

    const route = (body: Body) =>
      subject.app.as(owner).put(`/api/user/phone-numbers/${line.id}/routing`).send(body).expect(200);
    const calls = async () =>
      (await subject.app.as(owner).get('/api/user/calls').expect(200)).body.data as ListedCall[];
    const liveCallOf = async (from: string) =>
      (
        (await subject.app.as(owner).get('/api/user/calls?live=true').expect(200)).body
          .data as (ListedCall & {
          readonly live: unknown;
        })[]
      ).find(({ client_phone_number: number }) => number === from)!;
    const callOf = async (from: string) =>
      (await calls()).find(({ client_phone_number: number }) => number === from)!;
    const openCalls = () => subject.app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId]);
    const wallet = async () =>
      (
        await subject.app.query<{ balance: string; held: string }>(
          `SELECT balance_micros::text AS balance, held_micros::text AS held FROM wallets WHERE user_id = $1`,
          [owner.userId],
        )
      )[0]!;
    const queued = async () =>
      (
        await subject.app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'call.queued' ORDER BY id",
          [owner.userId],
        )
      ).map(({ body }) => (JSON.parse(body) as { data: Body }).data);

    function call(from = CALLER): CallFromOutside {
      const made = subject.call(from, line.number);
      placed.push(made);
      return made;
    }

    /** As if an assistant talked on another line of the plan. */
    async function takeLine(): Promise<void> {
      await subject.app.query(
        `WITH running AS (
           INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number)
           VALUES ($1, '', 'inbound', 'in-progress', '+5511900000000') RETURNING id)
         INSERT INTO active_calls (call_id, user_id, carrier, stage, max_duration_seconds, ringing_seconds,
           lease_token, lease_until)
         SELECT id, $1, 'sandbox', 'open', 3600, 30, gen_random_uuid(), now() + interval '1 hour' FROM running`,
        [owner.userId],
      );
    }
    const freeLines = () =>
      subject.app.query(
        `WITH gone AS (DELETE FROM active_calls WHERE user_id = $1 AND carrier_call_id IS NULL RETURNING call_id)
         DELETE FROM calls USING gone WHERE id = gone.call_id`,
        [owner.userId],
      );
    const waits = (from = CALLER) =>
      until(async () => {
        const listed = await callOf(from);
        return listed?.status === 'in-progress' && listed.assistant_name === '';
      }, 60_000);
    const isServed = (from = CALLER) =>
      until(async () => (await callOf(from)).assistant_name === 'Loja', 60_000);
    const isOver = (from = CALLER) => until(async () => (await callOf(from)).status === 'completed', 60_000);

    it('answers a caller for whom no line is free, and lets an assistant talk once one is', async () => {
      await route({ queue: QUEUE });
      await takeLine();
      const caller = call();
      expect(await caller.meets()).toBe('answer');
      await waits();
      expect((await liveCallOf(CALLER)).live).toMatchObject({
        holder: 'queue',
        last_turn: null,
        waiting: { position: 1, since: expect.any(String) },
      });
      expect((await callOf(CALLER)).routing).toMatchObject({
        branch: 'open',
        action: 'assistant',
        reason: 'account_full',
        waited_ms: null,
      });
      // Fifteen minutes and a message at 0.002 dollars a minute.
      expect(await wallet()).toEqual({ balance: '100000000', held: '36000' });
      const [waiting] = await subject.app.query(
        'SELECT line, without_line AS "isWithoutLine" FROM active_calls WHERE user_id = $1 AND queued_at IS NOT NULL',
        [owner.userId],
      );
      expect(waiting).toEqual({ line: null, isWithoutLine: true });
      expect(await queued()).toMatchObject([
        { type: 'inbound', assistant_id: null, assistant_name: '', customer_phone: CALLER, position: 1 },
      ]);
      await freeLines();
      await isServed();
      const { routing } = await callOf(CALLER);
      expect(routing).toMatchObject({ branch: 'open', action: 'assistant', reason: 'account_full' });
      expect(routing.waited_ms).toBeGreaterThan(0);
      const [served] = await subject.app.query(
        `SELECT line IS NOT NULL AS "hasLine", without_line AS "isWithoutLine", queue, queued_at AS "queuedAt"
         FROM active_calls WHERE user_id = $1`,
        [owner.userId],
      );
      expect(served).toEqual({ hasLine: true, isWithoutLine: false, queue: null, queuedAt: null });
      caller.hangUp();
      await isOver();
      const { carrier_cost: ofLine, total_cost: total, duration } = await callOf(CALLER);
      const waitedSeconds = Math.round((routing.waited_ms ?? 0) / 1_000);
      expect(ofLine).toBeCloseTo((LINE_PRICE * duration) / 60, 5);
      expect(total - ofLine).toBeCloseTo((ASSISTANT_PRICE * Math.max(duration - waitedSeconds, 0)) / 60, 5);
      expect(await wallet()).toEqual({
        balance: String(100_000_000 - Math.round(total * 1_000_000)),
        held: '0',
      });
    }, 180_000);

    it('serves callers in the order in which they came', async () => {
      await route({ queue: QUEUE });
      await takeLine();
      const callers = [0, 1, 2].map((at) => `+551198765100${at}`);
      const made: CallFromOutside[] = [];
      for (const from of callers) {
        made.push(call(from));
        await waits(from);
      }
      expect((await queued()).map(({ position }) => position)).toEqual([1, 2, 3]);
      await freeLines();
      for (const [at, from] of callers.entries()) {
        await isServed(from);
        for (const later of callers.slice(at + 1)) expect((await callOf(later)).assistant_name).toBe('');
        made[at]?.hangUp();
        await isOver(from);
      }
    }, 240_000);

    it('charges the line alone to callers who hang up before', async () => {
      await route({ queue: QUEUE });
      await takeLine();
      const caller = call();
      expect(await caller.meets()).toBe('answer');
      await waits();
      caller.hangUp();
      await isOver();
      const { assistant_name, carrier_cost: ofLine, total_cost: total, routing } = await callOf(CALLER);
      expect({ assistant_name, total }).toEqual({ assistant_name: '', total: ofLine });
      expect(routing).toMatchObject({ branch: 'open', action: 'assistant', reason: 'account_full' });
      expect(routing.waited_ms).not.toBeNull();
      await freeLines();
      await until(async () => (await openCalls()).length === 0, 60_000);
      expect((await wallet()).held).toBe('0');
    }, 180_000);

    it('turns away those who come when as many wait as may', async () => {
      await route({ queue: { ...QUEUE, max_waiting: 1 } });
      await takeLine();
      call('+5511987651000');
      await waits('+5511987651000');
      expect(await call().meets()).toBe('busy');
      await until(async () => (await callOf(CALLER)) !== undefined, 10_000);
      expect(await callOf(CALLER)).toMatchObject({
        status: 'busy',
        routing: { branch: 'unavailable', action: 'busy', reason: 'queue_full', waited_ms: null },
      });
    }, 180_000);

    it('hangs up when no line was free in time', async () => {
      await route({ queue: { ...QUEUE, max_seconds: 5 } });
      await takeLine();
      expect(await call().meets()).toBe('answer');
      await isOver();
      const { routing, total_cost: total, carrier_cost: ofLine } = await callOf(CALLER);
      expect(routing).toMatchObject({ branch: 'unavailable', action: 'busy', reason: 'queue_timeout' });
      expect(routing.waited_ms).toBeGreaterThanOrEqual(5_000);
      expect(total).toBe(ofLine);
    }, 180_000);

    it('speaks the message for such calls when no line was free in time', async () => {
      const unavailable = { action: 'message', text: 'Ligue mais tarde.' };
      await route({ queue: { ...QUEUE, max_seconds: 5 }, unavailable });
      await takeLine();
      const caller = call();
      expect(await caller.meets()).toBe('answer');
      if (!subject.livesInProcess) await caller.hears('Ligue mais tarde.');
      await isOver();
      expect((await callOf(CALLER)).routing).toMatchObject({
        branch: 'unavailable',
        action: 'message',
        reason: 'queue_timeout',
      });
    }, 180_000);

    it('connects with another number when no line was free in time', async () => {
      const { answers } = subject.farEnds;
      await route({
        queue: { ...QUEUE, max_seconds: 5 },
        unavailable: { action: 'forward', phone_number: answers },
      });
      await takeLine();
      const caller = call();
      expect(await caller.meets()).toBe('answer');
      await until(async () => (await callOf(CALLER))?.routing.action === 'forward', 60_000);
      // An hour of forwarding, and the seconds before it.
      await until(async () => Number((await wallet()).held) >= 120_000, 10_000);
      if (subject.lastShown) await until(async () => subject.lastShown?.() === line.number, 60_000);
      caller.hangUp();
      await isOver();
      const { routing, total_cost: total, carrier_cost: ofLine } = await callOf(CALLER);
      expect(routing).toMatchObject({
        branch: 'unavailable',
        reason: 'queue_timeout',
        forwarded_to: answers,
      });
      expect(total).toBe(ofLine);
    }, 180_000);

    it('lets no one wait where the balance does not suffice', async () => {
      await route({ queue: QUEUE });
      await subject.app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
      expect(await call().meets()).toBe('busy');
      await until(async () => (await callOf(CALLER)) !== undefined, 10_000);
      expect((await callOf(CALLER)).routing).toMatchObject({ action: 'busy', reason: 'balance' });
    }, 180_000);

    it('lets callers wait for a voice process that can talk', async () => {
      if (!subject.livesInProcess) return;
      await route({ queue: QUEUE });
      const runner = subject.app.app.get(CallRunnerService, { strict: false });
      const takes = jest.spyOn(runner, 'takesOwnLines', 'get').mockReturnValue(false);
      try {
        expect(await call().meets()).toBe('answer');
        await waits();
        expect((await callOf(CALLER)).routing).toMatchObject({ action: 'assistant', reason: 'no_voice' });
      } finally {
        takes.mockRestore();
      }
      await isServed();
    }, 180_000);
  });
}
