import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { describeForwarding } from '../conformance/forwarding.conformance.js';
import { describeInboundLookups } from '../conformance/inbound-lookups.conformance.js';
import { describeInboundRouting } from '../conformance/inbound-routing.conformance.js';
import { describeQueue } from '../conformance/queue.conformance.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

describe('calls to numbers of the sandbox', () => {
  let app: TestApp;
  let carrier: SandboxCallCarrier;
  /** What was said last on each call. */
  const said = new Map<string, string>();

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CALL_PRICE_PER_MINUTE: '0.06',
      CALLS_MAX_IN_PARALLEL: '3',
    });
    const found = app.app.get(CallCarrier, { strict: false });
    if (!(found instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    carrier = found;
    if (!('text' in carrier.media)) throw new Error('the test needs a line of words');
    const { text: line } = carrier.media;
    const say = line.say.bind(line);
    jest.spyOn(line, 'say').mockImplementation((callId, words) => {
      said.set(callId, words);
      return say(callId, words);
    });
  }, 60_000);
  afterAll(() => app.stop());

  async function addNumber(owner: TestAccount) {
    const id = await addPhoneNumber(app, owner);
    const [row] = await app.query<{ phone_number: string }>(
      'SELECT phone_number FROM phone_numbers WHERE id = $1',
      [id],
    );
    return { id, number: row?.phone_number ?? '' };
  }

  function call(from: string, to: string) {
    const callId = carrier.callIn(from, to);
    return {
      meets: async () => {
        for await (const event of carrier.watch(callId, AbortSignal.timeout(60_000))) {
          if (event.type === 'answered') return 'answer';
          if (event.type === 'state' && event.call.progress === 'answered') return 'answer';
          if (event.type === 'ended') return 'busy';
        }
        throw new Error('neither answered nor turned away');
      },
      hangUp: () => carrier.leave(callId),
      hears: async (text: string) => {
        await until(async () => said.get(callId) === text, 10_000);
      },
    } as const;
  }

  const subject = () => ({ app, addNumber, call, tellsUnassigned: false, livesInProcess: false });
  describeInboundRouting('the sandbox', subject);
  describeInboundLookups('the sandbox', subject);

  const forwarding = () => ({
    ...subject(),
    farEnds: {
      answers: '+551130001100',
      isBusy: '+551130001101',
      staysSilent: '+551130001102',
      fails: '+551130001104',
    },
    // Its calls live elsewhere.
    forget: () => undefined,
  });
  describeForwarding('the sandbox', forwarding);
  describeQueue('the sandbox', forwarding);

  it('are counted by reason where their callers are turned away', async () => {
    const turnedAway = async (reason: string) => {
      const line = new RegExp(`^prosa_callers_turned_away_total{reason="${reason}"} (\\d+)$`, 'm');
      return Number(line.exec(await app.metrics())?.[1] ?? 0);
    };
    const owner = await app.account({ balanceUsd: 10 });
    const line = await addNumber(owner);
    const routing = `/api/user/phone-numbers/${line.id}/routing`;
    const calls = async () => expect(await call('+5511987651300', line.number).meets()).toBe('busy');
    const [noAssistant, closedDate] = [await turnedAway('no_assistant'), await turnedAway('closed_date')];
    await app
      .as(owner)
      .put(routing)
      .send({ unavailable: { action: 'message', text: 'x' } })
      .expect(200);
    await app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]);
    await calls();
    await until(async () => (await turnedAway('no_assistant')) === noAssistant + 1);
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const hours = {
      timezone: 'UTC',
      weekly: [{ days: ['monday'], from: '00:00', to: '24:00' }],
      closed_dates: [-1, 0, 1].map(day),
    };
    await app
      .as(owner)
      .put(routing)
      .send({ hours, unavailable: { action: 'busy' } })
      .expect(200);
    await calls();
    await until(async () => (await turnedAway('closed_date')) === closedDate + 1);
  }, 60_000);

  it('end, and are charged once, when the process that speaks a message has lost them', async () => {
    const owner = await app.account({ balanceUsd: 10 });
    const line = await addNumber(owner);
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ unavailable: { action: 'message', text: 'Estamos fechados. '.repeat(50) } })
      .expect(200);
    const caller = call('+5511987651100', line.number);
    expect(await caller.meets()).toBe('answer');
    const latest = async () => (await app.as(owner).get('/api/user/calls').expect(200)).body.data[0];
    await until(async () => (await latest())?.status === 'in-progress');
    // As if it had stood still for longer than its lease.
    const lost = await app.query(
      `UPDATE active_calls SET lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute'
       WHERE user_id = $1 AND without_line RETURNING call_id`,
      [owner.userId],
    );
    expect(lost).toHaveLength(1);
    const sweep = app.app.get(CallSweepService, { strict: false });
    await until(async () => {
      await sweep.sweep();
      return (await latest()).status === 'completed';
    }, 60_000);
    const { carrier_cost: cost, total_cost: total } = await latest();
    expect(total).toBe(cost);
    const [wallet] = await app.query<{ balance: string; held: string }>(
      'SELECT balance_micros::text AS balance, held_micros::text AS held FROM wallets WHERE user_id = $1',
      [owner.userId],
    );
    expect(wallet).toEqual({ balance: String(10_000_000 - Math.round(cost * 1_000_000)), held: '0' });
    expect(await app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId])).toEqual([]);
    caller.hangUp();
  }, 120_000);

  it.each([
    ['rings', '+551130001102', 'ringing', 'no-answer'],
    ['talks', '+551130001100', 'in-progress', 'completed'],
  ])(
    'end, and are charged once, when the process that forwards them is lost while the far end %s',
    async (_title, phone_number, status, last) => {
      const owner = await app.account({ balanceUsd: 10 });
      const line = await addNumber(owner);
      await app
        .as(owner)
        .put(`/api/user/phone-numbers/${line.id}/routing`)
        .send({ unavailable: { action: 'forward', phone_number } })
        .expect(200);
      const caller = call('+5511987651200', line.number);
      const latest = async () => (await app.as(owner).get('/api/user/calls').expect(200)).body.data[0];
      await until(async () => (await latest())?.status === status, 20_000);
      await app.query(
        `UPDATE active_calls SET lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute'
         WHERE user_id = $1`,
        [owner.userId],
      );
      const sweep = app.app.get(CallSweepService, { strict: false });
      await until(async () => {
        await sweep.sweep();
        return (await latest()).status === last;
      }, 60_000);
      const { carrier_cost: cost, total_cost: total } = await latest();
      expect(total).toBe(cost);
      const [wallet] = await app.query<{ balance: string; held: string }>(
        'SELECT balance_micros::text AS balance, held_micros::text AS held FROM wallets WHERE user_id = $1',
        [owner.userId],
      );
      expect(wallet).toEqual({ balance: String(10_000_000 - Math.round(cost * 1_000_000)), held: '0' });
      expect(await app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId])).toEqual([]);
      caller.hangUp();
    },
    120_000,
  );

  it('are turned away when the lines of the platform are taken', async () => {
    const [crowd, owner] = [await app.account({ balanceUsd: 50 }), await app.account({ balanceUsd: 10 })];
    const calls = [];
    for (let at = 0; at < 3; at++) {
      const line = await addNumber(crowd);
      await createAssistant(app, crowd, { phone_number_id: line.id, max_silence_duration: 300 });
      calls.push(call(`+551198765100${at}`, line.number));
    }
    for (const { meets } of calls) expect(await meets()).toBe('answer');
    const line = await addNumber(owner);
    await createAssistant(app, owner, { phone_number_id: line.id });
    const always = { timezone: 'UTC', weekly: [{ days: ['monday'], from: '00:00', to: '24:00' }] };
    const closed = { action: 'assistant', assistant_id: (await createAssistant(app, owner)).id };
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ hours: always, closed })
      .expect(200);
    expect(await call('+5511987651009', line.number).meets()).toBe('busy');
    const listed = async () => (await app.as(owner).get('/api/user/calls').expect(200)).body.data;
    await until(async () => (await listed()).length > 0);
    expect(await listed()).toMatchObject([
      { status: 'busy', routing: { branch: 'unavailable', action: 'busy', reason: 'platform_full' } },
    ]);
    for (const { hangUp } of calls) hangUp();
  }, 60_000);
});
