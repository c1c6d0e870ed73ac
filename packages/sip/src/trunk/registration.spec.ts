import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  loopbackTrunk,
  openScriptedPeer,
  openUserAgent,
  type ScriptedPeer,
} from '../../testing/sip-harness.js';
import { until, VirtualClock } from '@prosa/testing';
import type { SipRequest } from '../message/sip-message.js';
import type { UserAgent } from '../user-agent.js';

describe('A registration', () => {
  let clock: VirtualClock;
  let alice: UserAgent;
  let registrar: ScriptedPeer;

  beforeEach(async () => {
    clock = new VirtualClock();
    alice = await openUserAgent(27_600, { clock, keepAliveMs: 0 });
    registrar = await openScriptedPeer();
    alice.addTrunk(loopbackTrunk(registrar.port, { registration: { user: 'alice', expiresSeconds: 300 } }));
  });

  afterEach(async () => {
    const closed = alice.close();
    await clock.pass(1_000);
    await closed;
    registrar.close();
  });

  const status = () => alice.trunkStatus('trunk')?.registration;

  async function waitForNext(): Promise<{ register: SipRequest; waitedMs: number }> {
    const startedMs = clock.nowMs();
    const register = await clock.until(registrar.next('REGISTER'));
    return { register, waitedMs: clock.nowMs() - startedMs };
  }

  it.each([
    [
      'the address that the registrar has seen',
      (uri: string) => `<${uri.replace(/@.*/, '@203.0.113.9:61234')}>`,
    ],
    ['a transport', (uri: string) => `<${uri};transport=udp>`],
    ['capitals', (uri: string) => `<${uri.replace('sip:', 'SIP:')};OB>`],
    ['another user', () => '<sip:line-7@sbc.operator.example>'],
  ])('is refreshed in time where its Contact comes back with %s', async (_name, rewritten) => {
    for (let rounds = 0; rounds < 2; rounds++) {
      const { register } = await waitForNext();
      registrar.reply(register, 200, { contact: `${rewritten(register.contact!.uri)};expires=2` });
      const next = await waitForNext();
      expect(next.waitedMs).toBeGreaterThan(500);
      expect(next.waitedMs).toBeLessThan(2_000);
      registrar.reply(next.register, 200, { contact: `${rewritten(register.contact!.uri)};expires=1` });
    }
    expect(status()).toEqual({ state: 'registered', reason: null });
  });

  it('is refreshed before the single second is over that it was granted', async () => {
    const { register } = await waitForNext();
    registrar.reply(register, 200, { contact: `${register.headers.get('contact')};expires=1` });
    expect((await waitForNext()).waitedMs).toBeLessThan(1_000);
  });

  it.each([
    [503, '1'],
    [500, '1 (restart);duration=60'],
    [480, '1;duration=3600'],
    [403, '1'],
  ])('that is refused with %i and Retry-After %j waits for that time', async (refusal, retryAfter) => {
    const { register } = await waitForNext();
    registrar.reply(register, refusal, { 'retry-after': retryAfter });
    const { register: second, waitedMs } = await waitForNext();
    // Up to a tenth more, at random.
    expect(waitedMs).toBeGreaterThanOrEqual(1_000);
    expect(waitedMs).toBeLessThanOrEqual(1_100);
    expect(status()?.reason).toContain(String(refusal));
    registrar.reply(second, 200, { contact: `${second.headers.get('contact')};expires=300` });
    await until(() => status()?.state === 'registered');
  });

  it.each([undefined, '0', 'soon'])(
    'that is refused with Retry-After %j waits as after any failure',
    async (value) => {
      const { register } = await waitForNext();
      registrar.reply(register, 503, value === undefined ? {} : { 'retry-after': value });
      await clock.pass(2_000);
      expect(registrar.received).toEqual(['REGISTER']);
    },
  );

  it('asks for a longer time where the registrar wants one, with or without Retry-After', async () => {
    const { register } = await waitForNext();
    registrar.reply(register, 423, { 'min-expires': '600', 'retry-after': '30' });
    const { register: second, waitedMs } = await waitForNext();
    expect(waitedMs).toBe(0);
    expect(second.headers.get('expires')).toBe('600');
  });

  it.each<[outcome: string, laterMs: number, received: readonly string[]]>([
    ['is signed off', 30_000, ['REGISTER', 'REGISTER', 'REGISTER']],
    ['is not signed off once its time is over', 100_000, ['REGISTER', 'REGISTER']],
  ])('whose refresh was refused %s', async (_outcome, laterMs, received) => {
    const { register } = await waitForNext();
    registrar.reply(register, 200, { contact: `${register.headers.get('contact')};expires=300` });
    const { register: refresh } = await waitForNext();
    registrar.reply(refresh, 503, { 'retry-after': '3600' });
    await until(() => status()?.state === 'failed');
    await clock.pass(laterMs);
    const removed = alice.removeTrunk('trunk');
    if (received.length > 2) {
      const { register: last } = await waitForNext();
      expect(last.headers.get('expires')).toBe('0');
      registrar.reply(last, 200);
    }
    await removed;
    expect(registrar.received).toEqual(received);
  });
});
