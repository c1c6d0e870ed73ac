import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { CallRunnerService } from '../../src/modules/call-sessions/call-runner.service.js';
import type { TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import type { InboundRoutingSubject } from './inbound-routing.conformance.js';

type Body = Record<string, unknown>;

/** A carrier whose numbers forward calls. */
export interface ForwardingSubject extends InboundRoutingSubject {
  /** Numbers whose far ends do this. */
  readonly farEnds: Readonly<Record<'answers' | 'isBusy' | 'staysSilent' | 'fails', string>>;
  /** Who the far end of the last forward was shown as its caller; left out where the carrier shows it to no one. */
  readonly lastShown?: () => string | undefined;
  /**
   * Drops what the process knows of a call, as if it had never had it. Left out where the process that has the audio joins the
   * lines.
   */
  readonly forget?: (carrierCallId: string) => void;
}

interface ListedCall {
  readonly id: number;
  readonly status: string;
  readonly total_cost: number;
  readonly carrier_cost: number;
  readonly duration: number;
  readonly routing: Body | null;
}

const CALLER = '+5511987650000';
const MAX_FORWARDS = 10;
const closedToday = () => ({
  timezone: 'UTC',
  weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }],
  closed_dates: [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)),
});

/** Defines what a forward does with calls from outside, on each carrier that takes them. */
export function describeForwarding(name: string, subjectOf: () => ForwardingSubject): void {
  describe(`a number of ${name} that forwards its calls`, () => {
    let subject: ForwardingSubject;
    let owner: TestAccount;
    let line: { readonly id: number; readonly number: string };

    beforeAll(() => {
      subject = subjectOf();
    });
    beforeEach(async () => {
      owner = await subject.app.account({ balanceUsd: 10 });
      line = await subject.addNumber(owner);
      const hook = { url: 'https://example.com/hook' };
      await subject.app.as(owner).post('/api/user/webhook-endpoints').send(hook).expect(201);
    });

    const to = (phone_number: string) => ({ action: 'forward', phone_number });
    const route = (body: Body, id = line.id) =>
      subject.app.as(owner).put(`/api/user/phone-numbers/${id}/routing`).send(body).expect(200);
    const calls = async () =>
      (await subject.app.as(owner).get('/api/user/calls').expect(200)).body.data as ListedCall[];
    const latest = async () => (await calls())[0];
    const has = (status: string) => until(async () => (await latest())?.status === status, 60_000);
    const openCalls = () => subject.app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId]);
    const wallet = async () =>
      (
        await subject.app.query<{ balance: string; held: string }>(
          `SELECT balance_micros::text AS balance, held_micros::text AS held FROM wallets WHERE user_id = $1`,
          [owner.userId],
        )
      )[0];
    const forwarded = async () =>
      (
        await subject.app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'call.forwarded' ORDER BY id",
          [owner.userId],
        )
      ).map(({ body }) => (JSON.parse(body) as { data: Body }).data);
    const routingTo = (phoneNumber: string, reason: string) => ({
      branch: 'unavailable',
      action: 'forward',
      reason,
      forwarded_to: phoneNumber,
    });

    /** Calls, and hears busy, as the far end is not to be had. */
    async function endsAs(status: string, phoneNumber: string): Promise<void> {
      await route({ unavailable: to(phoneNumber) });
      expect(await subject.call(CALLER, line.number).meets()).toBe('busy');
      await has(status);
      expect(await latest()).toMatchObject({
        assistant_name: '',
        total_cost: 0,
        routing: routingTo(phoneNumber, 'no_assistant'),
      });
      await until(async () => (await openCalls()).length === 0, 10_000);
      expect(await wallet()).toEqual({ balance: '10000000', held: '0' });
    }

    /** Calls, and is turned away. */
    async function isTurnedAway(routing: Body, from = CALLER, called = line.number): Promise<void> {
      const before = (await calls()).length;
      expect(await subject.call(from, called).meets()).toBe('busy');
      await until(async () => (await calls()).length > before, 10_000);
      expect(await latest()).toMatchObject({ status: 'busy', total_cost: 0, routing });
    }

    it('connects the caller, who pays the line alone, and whose longest call is paid before', async () => {
      const { answers } = subject.farEnds;
      await route({ unavailable: to(answers) });
      const call = subject.call(CALLER, line.number);
      expect(await call.meets()).toBe('answer');
      await has('in-progress');
      // An hour at 0.002 dollars a minute.
      expect(await wallet()).toEqual({ balance: '10000000', held: '120000' });
      if (subject.lastShown) expect(subject.lastShown()).toBe(line.number);
      call.hangUp();
      await has('completed');
      const listed = (await latest())!;
      const routing = routingTo(answers, 'no_assistant');
      expect(listed).toMatchObject({ assistant_name: '', client_phone_number: CALLER, routing });
      expect(listed.total_cost).toBe(listed.carrier_cost);
      expect(listed.carrier_cost).toBeCloseTo((0.002 * listed.duration) / 60, 5);
      expect(await openCalls()).toEqual([]);
      const left = 10_000_000 - Math.round(listed.carrier_cost * 1_000_000);
      expect(await wallet()).toEqual({ balance: String(left), held: '0' });
      expect(await forwarded()).toMatchObject([
        {
          id: listed.id,
          type: 'inbound',
          assistant_id: null,
          customer_phone: CALLER,
          assistant_phone: line.number,
          forwarded_to: answers,
          reason: 'no_assistant',
        },
      ]);
    }, 120_000);

    it('is recorded as stopped when a person of the account hangs up', async () => {
      await route({ unavailable: to(subject.farEnds.answers) });
      expect(await subject.call(CALLER, line.number).meets()).toBe('answer');
      await has('in-progress');
      const { id } = (await latest())!;
      await subject.app.as(owner).post(`/api/user/calls/${id}/hangup`).expect(200);
      await has('completed');
      const { body } = await subject.app.as(owner).get(`/api/user/calls/${id}`).expect(200);
      expect(body.end_reason).toBe('stopped');
    }, 120_000);

    it('ends as the far end does: busy', async () => {
      await endsAs('busy', subject.farEnds.isBusy);
    }, 120_000);

    it('ends as the far end does: failed', async () => {
      await endsAs('failed', subject.farEnds.fails);
    }, 120_000);

    it('ends as the far end does: not answered', async () => {
      await endsAs('no-answer', subject.farEnds.staysSilent);
    }, 120_000);

    it('tries nothing else once the far end rings', async () => {
      const { isBusy } = subject.farEnds;
      await route({
        hours: closedToday(),
        closed: to(isBusy),
        unavailable: { action: 'message', text: 'Ligue amanhã.' },
      });
      expect(await subject.call(CALLER, line.number).meets()).toBe('busy');
      await has('busy');
      expect(await calls()).toHaveLength(1);
      expect(await latest()).toMatchObject({
        routing: { branch: 'closed', action: 'forward', reason: 'closed_date', forwarded_to: isBusy },
      });
    }, 120_000);

    it('stops calling when the caller hangs up', async () => {
      await route({ unavailable: to(subject.farEnds.staysSilent) });
      const call = subject.call(CALLER, line.number);
      await has('ringing');
      call.hangUp();
      await has('no-answer');
      await until(async () => (await openCalls()).length === 0, 10_000);
      expect(await wallet()).toEqual({ balance: '10000000', held: '0' });
    }, 120_000);

    it('goes on when its process is lost, and costs the time that the carrier reports', async () => {
      const { app, forget } = subject;
      if (!forget) return;
      await route({ unavailable: to(subject.farEnds.answers) });
      const call = subject.call(CALLER, line.number);
      expect(await call.meets()).toBe('answer');
      await has('in-progress');
      const [lost] = await app.query<{ carrierCallId: string; token: string }>(
        `UPDATE active_calls SET lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute'
         WHERE user_id = $1 RETURNING carrier_call_id AS "carrierCallId", lease_token AS token`,
        [owner.userId],
      );
      forget(lost?.carrierCallId ?? '');
      const sweep = app.app.get(CallSweepService, { strict: false });
      await until(async () => {
        await sweep.sweep();
        const [row] = await app.query<{ token: string | null }>(
          'SELECT lease_token AS token FROM active_calls WHERE user_id = $1',
          [owner.userId],
        );
        return row?.token !== lost?.token;
      }, 30_000);
      await sleep(2_500);
      expect((await latest())?.status).toBe('in-progress');
      call.hangUp();
      await has('completed');
      const listed = (await latest())!;
      expect(listed.duration).toBeGreaterThanOrEqual(2);
      expect(listed.total_cost).toBe(listed.carrier_cost);
      expect(listed.carrier_cost).toBeCloseTo((0.002 * listed.duration) / 60, 5);
      expect(await openCalls()).toEqual([]);
      const left = 10_000_000 - Math.round(listed.carrier_cost * 1_000_000);
      expect(await wallet()).toEqual({ balance: String(left), held: '0' });
    }, 120_000);

    /** As if so many calls were under way. @param isForward else an assistant talks on them */
    async function addRunning(count: number, isForward: boolean): Promise<void> {
      const routing = { branch: 'closed', action: 'forward', reason: 'hours', forwardedTo: '+551130009999' };
      await subject.app.query(
        `WITH running AS (
           INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, routing)
           SELECT $1, '', 'inbound', 'in-progress', '+5511900000000', $3::jsonb
           FROM generate_series(1, $2) RETURNING id)
         INSERT INTO active_calls (call_id, user_id, carrier, stage, max_duration_seconds, ringing_seconds,
           without_line, lease_token, lease_until)
         SELECT id, $1, 'sandbox', 'open', 3600, 30, $3::jsonb IS NOT NULL, gen_random_uuid(),
           now() + interval '1 hour' FROM running`,
        [owner.userId, count, isForward ? JSON.stringify(routing) : null],
      );
    }
    const dropRunning = () =>
      subject.app.query('DELETE FROM active_calls WHERE user_id = $1 AND carrier_call_id IS NULL', [
        owner.userId,
      ]);

    it('connects while all lines of the plan are taken, and takes none itself', async () => {
      const { answers } = subject.farEnds;
      await createAssistant(subject.app, owner, { phone_number_id: line.id });
      await route({ unavailable: to(answers) });
      await subject.app.query('UPDATE plans SET max_calls_in_parallel = 1');
      try {
        await addRunning(1, false);
        const call = subject.call(CALLER, line.number);
        expect(await call.meets()).toBe('answer');
        await has('in-progress');
        expect((await latest())?.routing).toMatchObject(routingTo(answers, 'account_full'));
        const withLine = 'SELECT FROM active_calls WHERE user_id = $1 AND NOT without_line';
        expect(await subject.app.query(withLine, [owner.userId])).toHaveLength(1);
        call.hangUp();
        await has('completed');
      } finally {
        await subject.app.query('UPDATE plans SET max_calls_in_parallel = 10');
        await dropRunning();
      }
    }, 120_000);

    it('forwards ten calls of an account at the same time, and no more', async () => {
      await route({ hours: closedToday(), closed: to(subject.farEnds.answers) });
      await addRunning(MAX_FORWARDS, true);
      await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'account_full' });
      await dropRunning();
      await addRunning(MAX_FORWARDS - 1, true);
      const call = subject.call(CALLER, line.number);
      expect(await call.meets()).toBe('answer');
      call.hangUp();
      await dropRunning();
      await until(async () => (await openCalls()).length === 0, 30_000);
    }, 120_000);

    it('does not forward a call again that comes from a number which forwards one', async () => {
      const { answers } = subject.farEnds;
      const other = await subject.addNumber(owner);
      await route({ unavailable: to(answers) });
      await route({ unavailable: to(answers) }, other.id);
      const call = subject.call(CALLER, line.number);
      expect(await call.meets()).toBe('answer');
      const routing = { branch: 'unavailable', action: 'busy', reason: 'no_assistant', forwarded_to: null };
      await isTurnedAway(routing, line.number, other.number);
      call.hangUp();
      await until(async () => (await openCalls()).length === 0, 30_000);
    }, 120_000);

    describe('by the answer of a lookup', () => {
      let crm: LocalServer;
      let target: string;

      beforeAll(async () => {
        crm = await LocalServer.start((_request, response) =>
          answerJson(response, { action: 'forward', phone_number: target }),
        );
      });
      beforeEach(() => route({ lookup_url: crm.url }));
      afterAll(() => crm.stop());

      it('connects the caller with the number that it names, at any hour', async () => {
        target = subject.farEnds.answers;
        const call = subject.call(CALLER, line.number);
        expect(await call.meets()).toBe('answer');
        call.hangUp();
        await has('completed');
        expect((await latest())?.routing).toMatchObject({
          branch: 'lookup',
          action: 'forward',
          reason: 'lookup',
          forwarded_to: target,
          lookup: { status: 'ok', error: null },
        });
      }, 120_000);

      it('goes to no number to which calls may not be forwarded', async () => {
        for (target of ['+81312345678', '+559001234567', line.number])
          await isTurnedAway({
            branch: 'unavailable',
            action: 'busy',
            reason: 'no_assistant',
            lookup: { status: 'ignored', ms: expect.any(Number), error: 'bad_phone_number' },
          });
        expect(await forwarded()).toEqual([]);
      }, 120_000);
    });

    it('turns callers away where the balance does not suffice for the longest call', async () => {
      await route({ hours: closedToday(), closed: to(subject.farEnds.answers) });
      await subject.app.query('UPDATE wallets SET balance_micros = 119999 WHERE user_id = $1', [
        owner.userId,
      ]);
      await isTurnedAway({ branch: 'unavailable', action: 'busy', reason: 'balance' });
      expect(await forwarded()).toEqual([]);
    }, 60_000);

    it('connects in a voice process that takes no more calls with an assistant', async () => {
      if (!subject.livesInProcess) return;
      await route({ unavailable: to(subject.farEnds.answers) });
      const runner = subject.app.app.get(CallRunnerService, { strict: false });
      const takes = jest.spyOn(runner, 'takesOwnLines', 'get').mockReturnValue(false);
      try {
        const call = subject.call(CALLER, line.number);
        expect(await call.meets()).toBe('answer');
        call.hangUp();
        await has('completed');
        expect((await latest())?.routing).toMatchObject({ action: 'forward', reason: 'no_voice' });
      } finally {
        takes.mockRestore();
      }
    }, 120_000);
  });
}
