import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallRunnerService } from '../../src/modules/call-sessions/call-runner.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

type Body = Record<string, unknown>;

/** A call from outside, from the caller's side. */
export interface CallFromOutside {
  /** What the caller meets first. */
  meets(): Promise<'answer' | 'busy' | 'unassigned'>;
  hangUp(): void;
  /** Resolves when the message is heard, or its words where the line has no sound. */
  hears(text: string): Promise<void>;
}

/** A carrier whose numbers have routings. */
export interface InboundRoutingSubject {
  readonly app: TestApp;
  addNumber(owner: TestAccount): Promise<{ readonly id: number; readonly number: string }>;
  call(from: string, to: string): CallFromOutside;
  /** Callers of a number without an assistant hear the same as those who are turned away. */
  readonly tellsUnassigned: boolean;
  /** Calls are carried by this very process. */
  readonly livesInProcess: boolean;
}

interface ListedCall {
  readonly id: number;
  readonly status: string;
  readonly assistant_name: string;
  readonly client_phone_number: string;
  readonly assistant_phone_number: string;
  readonly total_cost: number;
  readonly carrier_cost: number;
  readonly duration: number;
  readonly routing: Body | null;
}

const CALLER = '+5511987650000';
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const OPEN = {
  timezone: 'America/Sao_Paulo',
  weekly: [{ days: EVERY_DAY, from: '00:00', to: '24:00' }],
};
const daysAround = () =>
  [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10));
const closedToday = () => ({ ...OPEN, closed_dates: daysAround() });
/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
const BUSY = { action: 'busy' };

/** Defines what the routing of a number does with calls from outside, on each carrier that takes them. */
export function describeInboundRouting(name: string, subjectOf: () => InboundRoutingSubject): void {
  describe(`the routing of a number of ${name}`, () => {
    let subject: InboundRoutingSubject;
    let owner: TestAccount;
    let line: { readonly id: number; readonly number: string };
    let store: number;
    let night: number;

    beforeAll(() => {
      subject = subjectOf();
    });
    beforeEach(async () => {
      owner = await subject.app.account({ balanceUsd: 10 });
      line = await subject.addNumber(owner);
      store = await assistant('Loja', { phone_number_id: line.id });
      night = await assistant('Noite');
      const as = subject.app.as(owner);
      await as.post('/api/user/webhook-endpoints').send({ url: 'https://example.com/hook' }).expect(201);
    });

    async function assistant(called: string, overrides: Body = {}): Promise<number> {
      const { id } = await createAssistant(subject.app, owner, {
        name: called,
        type: 'inbound',
        ...PATIENT,
        ...overrides,
      });
      await switched(id, 'active');
      return id;
    }
    const switched = (id: number, status: string) =>
      subject.app.as(owner).put(`/api/user/assistant/${id}`).send({ status }).expect(200);
    const route = (body: Body) =>
      subject.app.as(owner).put(`/api/user/phone-numbers/${line.id}/routing`).send(body).expect(200);
    const calls = async () =>
      (await subject.app.as(owner).get('/api/user/calls').expect(200)).body.data as ListedCall[];
    const openCalls = () => subject.app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId]);
    const heldMicros = async () =>
      (
        await subject.app.query<{ held: string }>(
          'SELECT held_micros::text AS held FROM wallets WHERE user_id = $1',
          [owner.userId],
        )
      )[0]?.held;
    const incoming = async () =>
      (
        await subject.app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'call.incoming' ORDER BY id",
          [owner.userId],
        )
      ).map(({ body }) => (JSON.parse(body) as { data: Body }).data);

    /** Calls, is answered, and hangs up. */
    async function isAnswered(): Promise<ListedCall> {
      const call = subject.call(CALLER, line.number);
      expect(await call.meets()).toBe('answer');
      await until(async () => (await calls())[0]?.status === 'in-progress', 20_000);
      call.hangUp();
      await until(async () => (await openCalls()).length === 0, 30_000);
      const listed = await calls();
      expect(listed).toHaveLength(1);
      return listed[0]!;
    }

    /** Calls, and is turned away with a call on record that costs nothing. */
    async function isTurnedAway(routing: Body): Promise<void> {
      const before = (await calls()).length;
      expect(await subject.call(CALLER, line.number).meets()).toBe('busy');
      await until(async () => (await calls()).length > before, 10_000);
      const [call] = await calls();
      expect(call).toMatchObject({
        status: 'busy',
        type: 'inbound',
        assistant_name: '',
        client_phone_number: CALLER,
        assistant_phone_number: line.number,
        total_cost: 0,
        routing,
      });
      expect((await incoming()).at(-1)).toMatchObject({
        id: call?.id,
        status: 'busy',
        assistant_id: null,
        customer_phone: CALLER,
        assistant_phone: line.number,
        phone_number_id: line.id,
        routing,
      });
    }

    it('without one is answered by its assistant, and nothing is said of it', async () => {
      const call = await isAnswered();
      expect(call).toMatchObject({ assistant_name: 'Loja', routing: null });
      expect(await incoming()).toMatchObject([
        { id: call.id, phone_number_id: line.id, assistant_id: store, routing: null },
      ]);
    }, 120_000);

    it('without one leaves no trace of a call that no assistant answers', async () => {
      await switched(store, 'inactive');
      const met = await subject.call(CALLER, line.number).meets();
      expect(met).toBe(subject.tellsUnassigned ? 'unassigned' : 'busy');
      expect(await calls()).toEqual([]);
      expect(await incoming()).toEqual([]);
    }, 60_000);

    it('without one announces a call that its assistant cannot answer, and records none', async () => {
      await subject.app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
      expect(await subject.call(CALLER, line.number).meets()).toBe('busy');
      await until(async () => (await incoming()).length > 0, 10_000);
      expect(await incoming()).toMatchObject([{ id: null, phone_number_id: line.id, routing: null }]);
      expect(await calls()).toEqual([]);
    }, 60_000);

    it('within its hours is answered by its assistant', async () => {
      await route({ hours: OPEN, closed: { action: 'assistant', assistant_id: night } });
      expect(await isAnswered()).toMatchObject({
        assistant_name: 'Loja',
        routing: { branch: 'open', action: 'assistant', reason: null },
      });
    }, 120_000);

    it('outside of its hours is answered by another assistant', async () => {
      await route({ hours: closedToday(), closed: { action: 'assistant', assistant_id: night } });
      const routing = { branch: 'closed', action: 'assistant', reason: 'closed_date' };
      const call = await isAnswered();
      expect(call).toMatchObject({ assistant_name: 'Noite', routing });
      expect(await incoming()).toMatchObject([{ id: call.id, assistant_id: night, routing }]);
    }, 120_000);

    it('outside of its hours is busy, where nothing else is set', async () => {
      await route({ hours: closedToday() });
      await isTurnedAway({ branch: 'closed', action: 'busy', reason: 'closed_date' });
      expect(await openCalls()).toEqual([]);
      expect(await heldMicros()).toBe('0');
    }, 60_000);

    it('without an active assistant is answered by that of its last part', async () => {
      await route({ unavailable: { action: 'assistant', assistant_id: night } });
      await switched(store, 'inactive');
      expect(await isAnswered()).toMatchObject({
        assistant_name: 'Noite',
        routing: { branch: 'unavailable', action: 'assistant', reason: 'no_assistant' },
      });
    }, 120_000);

    it('falls back from a part that fails to the next one, and then to busy', async () => {
      await route({
        hours: closedToday(),
        closed: { action: 'assistant', assistant_id: night },
        unavailable: { action: 'assistant', assistant_id: store },
      });
      await switched(night, 'inactive');
      expect(await isAnswered()).toMatchObject({
        assistant_name: 'Loja',
        routing: { branch: 'unavailable', action: 'assistant', reason: 'no_assistant' },
      });
      await switched(store, 'inactive');
      await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'no_assistant' });
    }, 120_000);

    it('is busy at the limit of the plan, and when the balance is empty', async () => {
      await route({ hours: OPEN, unavailable: { action: 'assistant', assistant_id: night } });
      await subject.app.query('UPDATE plans SET max_calls_in_parallel = 1');
      const call = subject.call('+5511987650009', line.number);
      try {
        expect(await call.meets()).toBe('answer');
        await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'account_full' });
      } finally {
        call.hangUp();
        await subject.app.query('UPDATE plans SET max_calls_in_parallel = 10');
      }
      await until(async () => (await openCalls()).length === 0, 30_000);
      await subject.app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
      await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'balance' });
    }, 120_000);

    describe('with a message', () => {
      const TEXT = 'Estamos fechados. Ligue amanhã.';
      const MESSAGE = { action: 'message', text: TEXT };

      /** Calls, hears the message, and is hung up. */
      async function isSpokenTo(routing: Body): Promise<ListedCall> {
        const before = (await calls()).length;
        const call = subject.call(CALLER, line.number);
        expect(await call.meets()).toBe('answer');
        await call.hears(TEXT);
        const latest = async () => (await calls())[0];
        await until(async () => (await calls()).length > before, 10_000);
        await until(async () => (await latest())?.status === 'completed', 40_000);
        const listed = (await latest())!;
        expect(listed).toMatchObject({ assistant_name: '', client_phone_number: CALLER, routing });
        return listed;
      }

      it('is spoken outside of its hours, and costs the line alone', async () => {
        await route({ hours: closedToday(), closed: MESSAGE });
        const routing = { branch: 'closed', action: 'message', reason: 'closed_date' };
        const call = await isSpokenTo(routing);
        expect(call.total_cost).toBe(call.carrier_cost);
        expect(call.carrier_cost).toBeCloseTo((0.002 * call.duration) / 60, 5);
        expect(await openCalls()).toEqual([]);
        expect(await heldMicros()).toBe('0');
        expect(await incoming()).toMatchObject([{ id: call.id, assistant_id: null, routing }]);
      }, 120_000);

      it('is spoken while all lines of the plan are taken, and takes none itself', async () => {
        await route({ hours: OPEN, unavailable: MESSAGE });
        await subject.app.query('UPDATE plans SET max_calls_in_parallel = 1');
        const talking = subject.call('+5511987650009', line.number);
        try {
          expect(await talking.meets()).toBe('answer');
          await until(async () => (await calls())[0]?.status === 'in-progress', 20_000);
          await isSpokenTo({ branch: 'unavailable', action: 'message', reason: 'account_full' });
          const lines = await subject.app.query(
            'SELECT FROM active_calls WHERE user_id = $1 AND line IS NOT NULL',
            [owner.userId],
          );
          expect(lines).toHaveLength(1);
        } finally {
          talking.hangUp();
          await subject.app.query('UPDATE plans SET max_calls_in_parallel = 10');
        }
      }, 120_000);

      it('is not spoken on a line that costs money when the balance is empty', async () => {
        await route({ hours: closedToday(), closed: MESSAGE, unavailable: MESSAGE });
        await subject.app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
        await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'balance' });
      }, 60_000);

      it('is spoken by a voice process that takes no more calls with an assistant', async () => {
        if (!subject.livesInProcess) return;
        await route({ hours: OPEN, unavailable: MESSAGE });
        const runner = subject.app.app.get(CallRunnerService, { strict: false });
        const takes = jest.spyOn(runner, 'takesOwnLines', 'get').mockReturnValue(false);
        try {
          await isSpokenTo({ branch: 'unavailable', action: 'message', reason: 'no_voice' });
        } finally {
          takes.mockRestore();
        }
      }, 120_000);
    });

    it('writes no call of a number that is none', async () => {
      await route({ hours: closedToday() });
      expect(await subject.call(CALLER, '+551139999999').meets()).not.toBe('answer');
      expect(await calls()).toEqual([]);
    }, 60_000);

    it('tells of the end of a call that was turned away', async () => {
      await route({ closed: BUSY, hours: closedToday() });
      await isTurnedAway({ branch: 'closed', action: 'busy', reason: 'closed_date' });
      const kinds = await subject.app.query<{ kind: string }>(
        'SELECT kind FROM webhook_deliveries WHERE user_id = $1 ORDER BY kind, occurrence',
        [owner.userId],
      );
      expect(kinds.map(({ kind }) => kind)).toEqual([
        'call.ended',
        'call.incoming',
        'call.status-changed',
        'call.status-changed',
        'call.status-changed',
      ]);
    }, 60_000);

    it('is busy while no voice process takes calls', async () => {
      if (!subject.livesInProcess) return;
      await route({ hours: OPEN, unavailable: { action: 'assistant', assistant_id: night } });
      const runner = subject.app.app.get(CallRunnerService, { strict: false });
      const takes = jest.spyOn(runner, 'takesOwnLines', 'get').mockReturnValue(false);
      try {
        await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'no_voice' });
      } finally {
        takes.mockRestore();
      }
    }, 60_000);
  });
}
