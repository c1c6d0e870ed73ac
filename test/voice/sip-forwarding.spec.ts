import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { OutgoingCall, SipCall } from '@prosa/sip';
import { nextEvent } from '@prosa/sip/testing';
import { strengthOf, tone } from '@prosa/testing';
import { CallsConfig } from '../../src/config/config.js';
import { CallSweepService } from '../../src/modules/call-recovery/call-sweep.service.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { describeForwarding } from '../conformance/forwarding.conformance.js';
import { describeQueue } from '../conformance/queue.conformance.js';
import type { TestAccount } from '../support/app.js';
import { SipProduct } from '../support/sip-product.js';
import { SipTelephone } from '../support/sip-telephone.js';
import { until } from '../support/until.js';

const CALLER = '+5511987650000';
const FAR_END = '+551130001100';
const CALLER_HZ = 600;
const FAR_END_HZ = 1_100;
/** A busy machine tears sound. */
const WAIT_MS = 90_000;

jest.setTimeout(240_000);

describe('calls to numbers of SIP trunks that are forwarded', () => {
  let product: SipProduct;
  const telephones: SipTelephone[] = [];
  const placed: SipCall[] = [];

  beforeAll(async () => {
    product = await SipProduct.openSpeechless(46_000);
    // No assistant speaks, and its voice would have the machine for minutes.
    const { sandbox } = product.app.app.get(SpeechProviderRegistry, { strict: false });
    jest.spyOn(sandbox, 'ready').mockResolvedValue(undefined);
  }, 240_000);
  afterEach(() => {
    for (const call of placed.splice(0)) call.hangUp();
    for (const telephone of telephones.splice(0)) telephone.close();
    product.operator.answered.length = 0;
  });
  afterAll(() => product.close());

  async function firstOf(call: OutgoingCall): Promise<'answer' | 'busy' | 'unassigned'> {
    const ended = nextEvent(call, 'ended', WAIT_MS).then(([{ status }]) => status);
    const answered = nextEvent(call, 'answered', WAIT_MS).then(() => 'answered' as const);
    // The one that does not come fails after its time.
    answered.catch(() => undefined);
    ended.catch(() => undefined);
    const first = await Promise.race([ended, answered]);
    if (first === 'answered') return 'answer';
    return first === 404 ? 'unassigned' : 'busy';
  }

  function call(from: string, to: string, headers: Readonly<Record<string, string>> = {}) {
    const outgoing = product.operator.agent.call('platform', {
      from,
      to,
      ringingTimeoutMs: WAIT_MS,
      headers,
    })!;
    placed.push(outgoing);
    const met = firstOf(outgoing);
    return {
      call: outgoing,
      meets: () => met,
      hangUp: () => outgoing.hangUp(),
      hears: async () => undefined,
    };
  }

  const subject = () => ({
    app: product.app,
    addNumber: (owner: TestAccount) => product.addTrunk(owner),
    call,
    tellsUnassigned: true,
    livesInProcess: true,
    farEnds: {
      answers: FAR_END,
      isBusy: '+551130001101',
      staysSilent: '+551130001102',
      fails: '+551130001104',
    },
    lastShown: () => product.operator.callers.at(-1),
  });
  describeForwarding('SIP trunks', subject);
  describeQueue('SIP trunks', subject);

  async function forwarding(overrides: Record<string, unknown> = {}) {
    const owner = await product.app.account({ balanceUsd: 10 });
    const line = await product.addTrunk(owner, overrides);
    const unavailable = { action: 'forward', phone_number: FAR_END };
    await product.app
      .as(owner)
      .put(`/api/user/phone-numbers/${line.id}/routing`)
      .send({ unavailable })
      .expect(200);
    return { owner, line };
  }
  const latest = async (owner: TestAccount) =>
    (await product.app.as(owner).get('/api/user/calls').expect(200)).body.data[0];
  const endReason = async (owner: TestAccount) =>
    (
      await product.app.query<{ reason: string }>(
        'SELECT end_reason AS reason FROM calls WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
        [owner.userId],
      )
    )[0]?.reason;

  async function hearsTone(listener: SipTelephone, speaker: SipTelephone, pitchHz: number): Promise<void> {
    const isHeard = () => strengthOf(pitchHz, listener.heardLast(200), 8_000) > 0.15;
    await until(async () => {
      await speaker.play(tone(pitchHz, 8_000, 400));
      return isHeard();
    }, WAIT_MS);
  }

  it('hear the far end and are heard there, and end with it', async () => {
    const { owner, line } = await forwarding();
    const caller = call(CALLER, line.number);
    expect(await caller.meets()).toBe('answer');
    const far = await product.operator.answeredAt(FAR_END, WAIT_MS);
    const [near, there] = [new SipTelephone(caller.call), new SipTelephone(far)];
    telephones.push(near, there);
    await hearsTone(there, near, CALLER_HZ);
    await hearsTone(near, there, FAR_END_HZ);
    const over = nextEvent(caller.call, 'ended', WAIT_MS);
    far.hangUp();
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    await until(async () => (await latest(owner)).status === 'completed', WAIT_MS);
    expect(await endReason(owner)).toBe('transfer');
  });

  it('tell the far end which number has forwarded them', async () => {
    const { line } = await forwarding();
    const caller = call(CALLER, line.number);
    expect(await caller.meets()).toBe('answer');
    const far = await product.operator.answeredAt(FAR_END, WAIT_MS);
    expect(far.divertedFrom).toEqual([line.number]);
  });

  it.each([
    ['Diversion', (number: string) => ({ diversion: `<sip:${number}@operator.example>;reason=no-answer` })],
    [
      'History-Info',
      (number: string) => ({
        'history-info': `<sip:${number}@a.example>;index=1, <sip:+551140000000@a.example>;index=1.1`,
      }),
    ],
  ])('hear busy where %s says that a number of ours has forwarded them', async (_title, headersOf) => {
    const { owner, line } = await forwarding();
    expect(await call(CALLER, line.number, headersOf(line.number)).meets()).toBe('busy');
    await until(async () => (await latest(owner)) !== undefined, WAIT_MS);
    expect(await latest(owner)).toMatchObject({ status: 'busy', routing: { action: 'busy' } });
    // A number of others, and the called number as the last target, are no loop.
    const others = {
      'history-info': `<sip:+551140000000@a.example>;index=1, <sip:${line.number}@a.example>;index=1.1`,
    };
    expect(await call(CALLER, line.number, others).meets()).toBe('answer');
  });

  it('are placed by the next number of the account where the trunk has no line left', async () => {
    const { owner, line } = await forwarding({ max_parallel_calls: 1 });
    const next = await product.addTrunk(owner);
    expect(await call(CALLER, line.number).meets()).toBe('answer');
    expect(product.operator.callers.at(-1)).toBe(next.number);
  });

  it('end after FORWARD_MAX_SECONDS', async () => {
    const config = product.app.app.get(CallsConfig, { strict: false });
    const limit = jest.replaceProperty(config, 'forwardMaxSeconds', 2);
    try {
      const { owner, line } = await forwarding();
      const caller = call(CALLER, line.number);
      const over = nextEvent(caller.call, 'ended', WAIT_MS);
      expect(await caller.meets()).toBe('answer');
      const far = await product.operator.answeredAt(FAR_END, WAIT_MS);
      const farOver = nextEvent(far, 'ended', WAIT_MS);
      await Promise.all([over, farOver]);
      await until(async () => (await latest(owner)).status === 'completed', WAIT_MS);
      expect(await latest(owner)).toMatchObject({ duration: 2 });
      expect(await endReason(owner)).toBe('max_duration');
    } finally {
      limit.restore();
    }
  });

  it.each([
    ['rings', '+551130001102', 'ringing', 'failed'],
    ['talks', FAR_END, 'in-progress', 'completed'],
  ])(
    'leave no one on a dead line when their process is lost while the far end %s',
    async (_title, phone_number, status, last) => {
      const { app } = product;
      const { owner, line } = await forwarding();
      await app
        .as(owner)
        .put(`/api/user/phone-numbers/${line.id}/routing`)
        .send({ unavailable: { action: 'forward', phone_number } })
        .expect(200);
      const dialled = product.operator.dialled.length;
      const caller = call(CALLER, line.number);
      const over = nextEvent(caller.call, 'ended', WAIT_MS);
      await until(() => product.operator.dialled.length > dialled, WAIT_MS);
      await until(async () => (await latest(owner))?.status === status, WAIT_MS);
      // As if it had stood still for longer than its lease.
      await app.query(
        `UPDATE active_calls SET lease_token = gen_random_uuid(), lease_until = now() - interval '1 minute'
         WHERE user_id = $1`,
        [owner.userId],
      );
      const sweep = app.app.get(CallSweepService, { strict: false });
      await until(async () => {
        await sweep.sweep();
        return ['failed', 'completed', 'no-answer', 'busy'].includes((await latest(owner)).status);
      }, WAIT_MS);
      expect((await latest(owner)).status).toBe(last);
      await over;
      await until(() => product.operator.answered.every(({ state }) => state !== 'up'), WAIT_MS);
      const [charged] = await app.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM ledger_entries WHERE user_id = $1 AND reference LIKE 'call:%'",
        [owner.userId],
      );
      expect(charged?.count).toBeLessThanOrEqual(1);
      const [wallet] = await app.query('SELECT held_micros::text AS held FROM wallets WHERE user_id = $1', [
        owner.userId,
      ]);
      expect(wallet).toEqual({ held: '0' });
      expect(await app.query('SELECT FROM active_calls WHERE user_id = $1', [owner.userId])).toEqual([]);
    },
  );
});
