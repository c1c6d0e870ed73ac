import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FAST_TIMERS,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  type ScriptedPeer,
} from '../../testing/sip-harness.js';
import { until, VirtualClock } from '@prosa/testing';
import { SipResponse } from '../message/sip-message.js';
import type { UserAgent } from '../user-agent.js';
import type { OutgoingCall } from './outgoing-call.js';

const CALL = { to: '5511999990000', from: '551130000000', ringingTimeoutMs: 5_000 };
/** RFC 3261 §14.1 for the owner of the Call-ID, by the timers of these tests. */
const BACKOFF_MS = { least: 2_100 * (FAST_TIMERS.t1Ms / 500), most: 4_000 * (FAST_TIMERS.t1Ms / 500) };

describe('A refresh of a session', () => {
  let clock: VirtualClock;
  let alice: UserAgent;
  let peer: ScriptedPeer;

  beforeEach(async () => {
    clock = new VirtualClock();
    alice = await openUserAgent(27_000, { clock });
    peer = await openScriptedPeer();
    alice.addTrunk(loopbackTrunk(peer.port));
  });

  afterEach(async () => {
    const closed = alice.close();
    await clock.pass(1_000);
    await closed;
    peer.close();
  });

  const agreed = (seconds: number) => ({ 'session-expires': `${seconds};refresher=uac`, require: 'timer' });

  /** A call whose session we refresh at half of so many seconds. */
  async function talking(seconds: number, methods = 'INVITE, ACK, BYE, UPDATE'): Promise<OutgoingCall> {
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    peer.answerWith(await nextRequest('INVITE'), { ...agreed(seconds), allow: methods });
    await clock.until(answered);
    return call;
  }

  const nextRequest = (method: string) => clock.until(peer.next(method));

  /** The time until the next request of a method, in milliseconds of the clock. */
  async function waitFor(method: string) {
    const startedMs = clock.nowMs();
    const request = await nextRequest(method);
    return { request, waitedMs: clock.nowMs() - startedMs };
  }

  it.each([491, 500, 502, 504])('that meets a %i is sent again after the back-off', async (status) => {
    const call = await talking(1);
    const first = await nextRequest('UPDATE');
    peer.reply(first, status);
    const { request, waitedMs } = await waitFor('UPDATE');
    expect(waitedMs).toBeGreaterThanOrEqual(BACKOFF_MS.least);
    expect(waitedMs).toBeLessThanOrEqual(BACKOFF_MS.most);
    expect(request.cseq.number).toBeGreaterThan(first.cseq.number);
    peer.reply(request, 200, agreed(1));
    // The session goes on, and is refreshed at half of its time again.
    peer.reply(await nextRequest('UPDATE'), 200, agreed(60));
    expect(call.state).toBe('up');
  });

  it('waits as long as a Retry-After says', async () => {
    await talking(8);
    peer.reply(await nextRequest('UPDATE'), 500, { 'retry-after': '1 (soon);duration=9' });
    const { request, waitedMs } = await waitFor('UPDATE');
    expect(waitedMs).toBe(1_000);
    peer.reply(request, 200, agreed(60));
  });

  it('waits for no longer than half of what is left of the session', async () => {
    await talking(4);
    peer.reply(await nextRequest('UPDATE'), 503, { 'retry-after': '3600' });
    const { waitedMs } = await waitFor('UPDATE');
    expect(waitedMs).toBe(1_000);
  });

  it('is a re-INVITE for a peer that takes no UPDATE, which is sent again after a 491', async () => {
    const call = await talking(1, 'INVITE, ACK, BYE');
    peer.reply(await nextRequest('INVITE'), 491);
    const { request, waitedMs } = await waitFor('INVITE');
    expect(waitedMs).toBeGreaterThanOrEqual(BACKOFF_MS.least);
    peer.answerWith(request, agreed(60));
    await until(() => call.timer.snapshot()?.expiresSeconds === 60);
    expect(peer.received).not.toContain('UPDATE');
  });

  it.each([400, 403, 405, 420, 488, 501])(
    'is a re-INVITE where the peer refuses the UPDATE with %i',
    async (status) => {
      const call = await talking(1);
      peer.reply(await nextRequest('UPDATE'), status);
      peer.answerWith(await nextRequest('INVITE'), agreed(60));
      await until(() => call.timer.snapshot()?.expiresSeconds === 60);
      expect(call.state).toBe('up');
    },
  );

  it('that is refused in every way is tried again before the session is over', async () => {
    const call = await talking(6);
    peer.reply(await nextRequest('UPDATE'), 403);
    peer.reply(await nextRequest('INVITE'), 403);
    const { request, waitedMs } = await waitFor('UPDATE');
    // Three seconds are left then, and half of them pass.
    expect(waitedMs).toBe(1_500);
    peer.reply(request, 200, agreed(60));
    await until(() => call.timer.snapshot()?.expiresSeconds === 60);
  });

  it('stops after some attempts, and leaves the call up', async () => {
    const call = await talking(1);
    for (let attempts = 0; attempts < 5; attempts++) peer.reply(await nextRequest('UPDATE'), 491);
    await clock.pass(600);
    expect(peer.received.filter((method) => method === 'UPDATE')).toHaveLength(5);
    expect(call.state).toBe('up');
  });

  it.each([408, 481])('that gets a %i ends the call', async (status) => {
    const call = await talking(1);
    const ended = nextEvent(call, 'ended');
    peer.reply(await nextRequest('UPDATE'), status);
    expect((await clock.until(ended))[0]).toMatchObject({ outcome: 'hung-up', by: 'network', status });
  });

  it('ends the wait for its next attempt with the call', async () => {
    const call = await talking(8);
    peer.reply(await nextRequest('UPDATE'), 500, { 'retry-after': '1' });
    await clock.pass(50);
    call.hangUp();
    peer.reply(await nextRequest('BYE'), 200);
    await clock.pass(1_200);
    expect(peer.received.filter((method) => method === 'UPDATE')).toHaveLength(1);
  });

  it('does not hold up a hold while it waits', async () => {
    const call = await talking(4);
    peer.reply(await nextRequest('UPDATE'), 500, { 'retry-after': '5' });
    await clock.pass(50);
    const held = call.hold(true);
    const { request, waitedMs } = await waitFor('INVITE');
    expect(waitedMs).toBe(0);
    peer.answerWith(request, agreed(30));
    expect(await clock.until(held)).toBe(true);
  });
});

describe('A change of a session that a peer asks for', () => {
  let alice: UserAgent;
  let bob: UserAgent;

  beforeEach(async () => {
    alice = await openUserAgent(27_000);
    bob = await openUserAgent(27_200);
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
  });

  afterEach(async () => {
    await alice.close();
    await bob.close();
  });

  /** What a request of the caller within the early dialog is answered with. */
  async function askedWhileItRings(
    method: 'UPDATE' | 'INVITE',
    hasOffer: boolean,
  ): Promise<SipResponse | null> {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const ringing = nextEvent(caller, 'ringing');
    const called = await offered;
    called.ring();
    await ringing;
    const request = caller.getDialog().createRequest(method);
    if (hasOffer) request.setBody('application/sdp', caller.media!.negotiation.offer());
    const response = await caller.context.sender.ask(request, caller.requestOptions());
    const answered = nextEvent(caller, 'answered');
    expect(await called.accept()).toBe(true);
    await answered;
    return response;
  }

  it.each(['UPDATE', 'INVITE'] as const)(
    'is refused with 500 as %s while the first offer waits',
    async (method) => {
      const response = await askedWhileItRings(method, true);
      expect(response?.status).toBe(500);
      const seconds = Number(response?.headers.get('retry-after'));
      expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= 10).toBe(true);
    },
  );

  it('is taken as UPDATE without an offer while the first offer waits', async () => {
    expect((await askedWhileItRings('UPDATE', false))?.status).toBe(200);
  });

  it('is taken as UPDATE once a reliable response has answered the first offer', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const early = nextEvent(caller, 'early');
    const called = await offered;
    expect(await called.early()).toBe(true);
    await early;
    const update = caller.getDialog().createRequest('UPDATE');
    update.setBody('application/sdp', caller.media!.negotiation.offer());
    const response = await caller.context.sender.ask(update, caller.requestOptions());
    expect(response?.status).toBe(200);
    // A second INVITE is not, as the first one has no final response.
    const invite = caller.getDialog().createRequest('INVITE');
    invite.setBody('application/sdp', caller.media!.negotiation.offer());
    expect((await caller.context.sender.ask(invite, caller.requestOptions()))?.status).toBe(500);
  });

  it('is refused with 491 as UPDATE with an offer while our own re-INVITE waits, and taken without one', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const answered = nextEvent(caller, 'answered');
    const called = await offered;
    await called.accept();
    await answered;
    // Bob gets no answer to its re-INVITE, as Alice sees none.
    const handler = alice.transactions;
    alice.transport.handle({
      onRequest: (request, source) => {
        if (request.method !== 'INVITE') handler.onRequest(request, source);
      },
      onResponse: (response) => handler.onResponse(response),
    });
    const held = called.hold(true);
    await sleep(30);
    for (const [hasOffer, status] of [
      [true, 491],
      [false, 200],
    ] as const) {
      const update = caller.getDialog().createRequest('UPDATE');
      if (hasOffer) update.setBody('application/sdp', caller.media!.negotiation.offer());
      const response = await caller.context.sender.ask(update, caller.requestOptions());
      expect(response?.status).toBe(status);
    }
    caller.media!.negotiation.withdraw();
    alice.transport.handle(handler);
    expect(await held).toBe(true);
  });
});
