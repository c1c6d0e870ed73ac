import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  hearTone,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  playTone,
  type ScriptedPeer,
} from '../testing/sip-harness.js';
import { until } from '@prosa/testing';
import type { IncomingCall } from './call/incoming-call.js';
import type { DigestCredentials } from './auth/digest.js';
import type { OutgoingCall } from './call/outgoing-call.js';
import type { ReferRequest } from './call/refer.js';
import type { UserAgent } from './user-agent.js';

const CHALLENGE = { 'www-authenticate': 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"' };
const CREDENTIALS = { username: 'alice', password: 'secret' };
const CALL = { to: '5511999990000', from: '551130000000', ringingTimeoutMs: 5_000 };

describe('UserAgent', () => {
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

  /** Runs the work with a trunk of Alice whose far end is scripted. */
  async function onScriptedTrunk(
    work: (peer: ScriptedPeer) => Promise<void>,
    credentials: DigestCredentials | null = null,
  ): Promise<void> {
    const peer = await openScriptedPeer();
    try {
      alice.addTrunk(loopbackTrunk(peer.port, { id: 'scripted', credentials }));
      await work(peer);
    } finally {
      peer.close();
    }
  }

  async function connect(): Promise<{ caller: OutgoingCall; called: IncomingCall }> {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const answered = nextEvent(caller, 'answered');
    const called = await offered;
    called.ring();
    expect(await called.accept()).toBe(true);
    await answered;
    return { caller, called };
  }

  it('places a call, carries sound and keys both ways, and hangs up', async () => {
    const { caller, called } = await connect();
    expect([called.from, called.to]).toEqual([CALL.from, CALL.to]);
    const [ours, theirs] = [caller.openAudio()!, called.openAudio()!];
    const stops = [playTone(ours, 440), playTone(theirs, 1_000)];
    await Promise.all([hearTone(ours, 1_000), hearTone(theirs, 440)]);
    stops.forEach((stop) => stop());

    const keys: string[] = [];
    called.on('key', (key) => keys.push(key));
    caller.sendDigits('11#');
    const back = nextEvent(caller, 'key');
    called.sendDigits('7');
    expect(await back).toEqual(['7']);
    await until(() => keys.length === 3);
    expect(keys).toEqual(['1', '1', '#']);

    const over = nextEvent(called, 'ended');
    caller.hangUp();
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    expect([alice.callCount, bob.callCount]).toEqual([0, 0]);
    expect([alice.openPorts, bob.openPorts]).toEqual([0, 0]);
  });

  it('reads who calls in no more time where the operator asserts nonsense', async () => {
    const offered = nextCall(bob);
    alice.call('trunk', { ...CALL, headers: { 'P-Asserted-Identity': '<'.repeat(8_000) } });
    const called = await offered;
    const before = process.cpuUsage();
    for (let count = 0; count < 20; count++) expect(called.from).toBe(CALL.from);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(300);
  });

  it('plays announcements before the answer, confirmed by PRACK', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const early = nextEvent(caller, 'early');
    const called = await offered;
    expect(await called.early()).toBe(true);
    await early;
    await until(() => bob.transactions.size.servers === 2);
    await sleep(50);
    // Confirmed, it is not sent again, although it rings on.
    const { received } = alice.transport.counts;
    await sleep(200);
    expect(alice.transport.counts.received).toBe(received);
    const heard = caller.openAudio()!;
    const stop = playTone(called.openAudio()!, 700);
    await hearTone(heard, 700);
    stop();
    const answered = nextEvent(caller, 'answered');
    expect(await called.accept()).toBe(true);
    await answered;
    expect([caller.state, called.state]).toEqual(['up', 'up']);
  });

  it.each([
    [486, 'busy'],
    [603, 'declined'],
    [404, 'unassigned'],
    [480, 'no-answer'],
    [302, 'moved'],
    [500, 'failed'],
  ])('says what a refusal by %i means', async (status, outcome) => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const ended = nextEvent(caller, 'ended');
    (await offered).reject(status);
    expect((await ended)[0]).toMatchObject({ outcome, by: 'remote', status });
  });

  it('refuses a call for which it has no address of its own', async () => {
    jest.spyOn(bob.transport, 'advertised').mockRejectedValueOnce(new Error('no route'));
    const [{ status }] = await nextEvent(alice.call('trunk', CALL)!, 'ended');
    expect(status).toBe(500);
  });

  it('cancels a call that rings', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const ringing = nextEvent(caller, 'ringing');
    const called = await offered;
    called.ring();
    await ringing;
    const ends = Promise.all([nextEvent(caller, 'ended'), nextEvent(called, 'ended')]);
    caller.hangUp();
    const [[ours], [theirs]] = await ends;
    expect(ours).toMatchObject({ outcome: 'cancelled', by: 'local' });
    expect(theirs).toMatchObject({ outcome: 'cancelled', by: 'remote' });
  });

  it('cancels a call before the first response only once that has come', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const ended = nextEvent(caller, 'ended');
      const invite = await peer.next('INVITE');
      caller.hangUp();
      await sleep(100);
      expect(peer.received).not.toContain('CANCEL');
      peer.reply(invite, 180);
      peer.reply(await peer.next('CANCEL'), 200);
      peer.reply(invite, 487);
      expect((await ended)[0]).toMatchObject({ outcome: 'cancelled', by: 'local' });
      await peer.next('ACK');
    }));

  it('keeps nothing of a cancelled call whose INVITE gets no final response', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const ended = nextEvent(caller, 'ended');
      const invite = await peer.next('INVITE');
      peer.reply(invite, 180);
      await nextEvent(caller, 'ringing');
      caller.hangUp();
      peer.reply(await peer.next('CANCEL'), 200);
      expect((await ended)[0]).toMatchObject({ outcome: 'cancelled', by: 'local' });
      // The caller has forgotten the call and sends no ACK.
      peer.reply(invite, 487);
      await sleep(100);
      expect(peer.received).toEqual(['INVITE', 'CANCEL']);
    }));

  it('begins nothing any more for a call that was given up', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const ended = nextEvent(caller, 'ended');
      const invite = await peer.next('INVITE');
      caller.hangUp();
      peer.reply(invite, 401, CHALLENGE);
      expect((await ended)[0]).toMatchObject({ outcome: 'cancelled', by: 'local' });
      await sleep(100);
      expect(peer.received).toEqual(['INVITE', 'ACK']);
    }, CREDENTIALS));

  it('cancels the INVITE with credentials, not the one that was refused before', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const ended = nextEvent(caller, 'ended');
      const first = await peer.next('INVITE');
      peer.reply(first, 100);
      peer.reply(first, 401, CHALLENGE);
      const second = await peer.next('INVITE');
      caller.hangUp();
      peer.reply(second, 180);
      const cancel = await peer.next('CANCEL');
      expect([cancel.branch, cancel.cseq.number]).toEqual([second.branch, second.cseq.number]);
      peer.reply(cancel, 200);
      peer.reply(second, 487);
      expect((await ended)[0]).toMatchObject({ outcome: 'cancelled' });
      expect(peer.received.filter((method) => method === 'CANCEL')).toHaveLength(1);
    }, CREDENTIALS));

  it('cancels a change that its peer takes note of and never answers, and goes on with the call', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const answered = nextEvent(caller, 'answered');
      peer.answer(await peer.next('INVITE'));
      await answered;
      const held = caller.hold(true);
      const change = await peer.next('INVITE');
      peer.reply(change, 100);
      const cancel = await peer.next('CANCEL');
      expect(cancel.branch).toBe(change.branch);
      peer.reply(cancel, 200);
      peer.reply(change, 487);
      expect([await held, caller.state]).toEqual([false, 'up']);
    }));

  it('ends a call that was answered while it was being cancelled', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const ended = nextEvent(caller, 'ended');
      const invite = await peer.next('INVITE');
      peer.reply(invite, 180);
      await nextEvent(caller, 'ringing');
      caller.hangUp();
      await peer.next('CANCEL');
      peer.answer(invite);
      await peer.next('ACK');
      peer.reply(await peer.next('BYE'), 200);
      expect((await ended)[0]).toMatchObject({ outcome: 'cancelled' });
    }));

  it('acknowledges a repeated answer again, and ends the fork that answers second', () =>
    onScriptedTrunk(async (peer) => {
      const caller = alice.call('scripted', CALL)!;
      const answered = nextEvent(caller, 'answered');
      const invite = await peer.next('INVITE');
      peer.answer(invite, 'first');
      await answered;
      await peer.next('ACK');
      peer.answer(invite, 'first');
      await peer.next('ACK');
      peer.answer(invite, 'second');
      expect((await peer.next('ACK')).toTag).toBe('second');
      expect((await peer.next('BYE')).toTag).toBe('second');
      expect(caller.state).toBe('up');
    }));

  it('sends audio to where a peer signals from, when its description names an address that is not permitted', async () => {
    await alice.close();
    alice = await openUserAgent(27_000, { isPermitted: (address) => address === '127.0.0.1' });
    const peer = await openScriptedPeer();
    const rtp = createSocket('udp4').bind(0, '127.0.0.1');
    await once(rtp, 'listening');
    try {
      alice.addTrunk(loopbackTrunk(peer.port, { id: 'scripted' }));
      const caller = alice.call('scripted', CALL)!;
      peer.answer(await peer.next('INVITE'), 'peer', rtp.address().port, '10.1.2.3');
      const [packet] = (await once(rtp, 'message')) as [Buffer];
      expect(packet).toHaveLength(172);
      expect(caller.media!.rtp.receiver.destination).toMatchObject({ address: '127.0.0.1' });
    } finally {
      peer.close();
      rtp.close();
    }
  });

  it('gives up when the call is not answered in time', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', { ...CALL, ringingTimeoutMs: 300 })!;
    const ended = nextEvent(caller, 'ended');
    const called = await offered;
    called.ring();
    const cancelled = nextEvent(called, 'ended');
    expect((await ended)[0]).toMatchObject({ outcome: 'no-answer', by: 'local' });
    expect((await cancelled)[0]).toMatchObject({ outcome: 'cancelled' });
  });

  it('fails a call to an address without a server', async () => {
    alice.addTrunk(loopbackTrunk(9, { id: 'silent' }));
    const caller = alice.call('silent', CALL)!;
    expect((await nextEvent(caller, 'ended'))[0]).toMatchObject({
      outcome: 'failed',
      by: 'network',
      reason: 'no answer to the INVITE',
    });
  });

  it('holds and resumes, from both sides', async () => {
    const { caller, called } = await connect();
    const held = nextEvent(called, 'hold');
    expect(await caller.hold(true)).toBe(true);
    expect(await held).toEqual([true]);
    const before = caller.media!.rtp.receiver.counts.accepted;
    await sleep(150);
    expect(caller.media!.rtp.receiver.counts.accepted - before).toBeLessThan(4);
    const resumed = nextEvent(called, 'hold');
    expect(await caller.hold(false)).toBe(true);
    expect(await resumed).toEqual([false]);
    const heldByThem = nextEvent(caller, 'hold');
    expect(await called.hold(true)).toBe(true);
    expect(await heldByThem).toEqual([true]);
    expect(await called.hold(false)).toBe(true);
  });

  it('lets one of two changes at once go first', async () => {
    const { caller, called } = await connect();
    const outcomes = await Promise.all([caller.hold(true), called.hold(true)]);
    expect(outcomes).toEqual([true, true]);
    expect(caller.media!.negotiation.negotiated?.direction).toBe('inactive');
  });

  it('refuses an offer that comes before its own answer, and takes the call afterwards', async () => {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const ringing = nextEvent(caller, 'ringing');
    const called = await offered;
    called.ring();
    await ringing;
    const update = caller.getDialog().createRequest('UPDATE');
    update.setBody('application/sdp', caller.media!.negotiation.offer());
    const response = await caller.context.sender.ask(update, caller.requestOptions());
    expect(response?.status).toBe(500);
    const answered = nextEvent(caller, 'answered');
    expect(await called.accept()).toBe(true);
    await answered;
  });

  it('asks the far end to call a third party, and receives its progress', async () => {
    const { caller, called } = await connect();
    const progress: number[] = [];
    called.on('refer', (request: ReferRequest) => {
      expect(request.target).toBe('sip:carol@127.0.0.1');
      request.accept();
      request.notify(180);
      request.notify(200);
    });
    const outcome = await caller.refer('sip:carol@127.0.0.1', ({ status }) => progress.push(status));
    expect(outcome).toEqual({ kind: 'done', status: 200 });
    expect(progress.toSorted((a, b) => a - b)).toEqual([100, 180, 200]);
  });

  it('ignores a late NOTIFY about a transfer that was given up', async () => {
    const { caller, called } = await connect();
    const requests: ReferRequest[] = [];
    called.on('refer', (request: ReferRequest) => {
      request.accept();
      requests.push(request);
    });
    expect(await caller.refer('sip:carol@127.0.0.1', undefined, 100)).toEqual({ kind: 'unknown' });
    const progress: number[] = [];
    const onProgress = ({ status }: { status: number }) => progress.push(status);
    const outcome = caller.refer('sip:dave@127.0.0.1', onProgress, undefined, () => {
      requests[0]?.notify(487);
      setTimeout(() => requests[1]?.notify(200), 100);
    });
    expect(await outcome).toEqual({ kind: 'done', status: 200 });
    expect(progress).not.toContain(487);
  });

  it.each([
    ['active;expires=60', 486, { kind: 'done', status: 486 }],
    ['terminated;reason=timeout', 180, { kind: 'unknown' }],
  ])('takes a transfer whose subscription is %s with %i for %j', async (state, status, expected) => {
    const { caller, called } = await connect();
    called.on('refer', (request: ReferRequest) => request.accept());
    const outcome = caller.refer('sip:carol@127.0.0.1', undefined, undefined, () => {
      const notify = called.getDialog().createRequest('NOTIFY');
      notify.headers.set('event', 'refer').set('subscription-state', state);
      notify.setBody('message/sipfrag', `SIP/2.0 ${status} Whatever\r\n`);
      void called.context.sender.ask(notify, called.requestOptions());
    });
    expect(await outcome).toEqual(expected);
  });

  it.each([
    ['terminated;reason=noresource', undefined],
    ['terminated;reason=timeout', 'text/plain'],
  ])('waits no longer for a transfer whose subscription is %s without a status', async (state, type) => {
    const { caller, called } = await connect();
    called.on('refer', (request: ReferRequest) => request.accept());
    const startedMs = performance.now();
    const answered: (number | undefined)[] = [];
    const outcome = caller.refer('sip:carol@127.0.0.1', undefined, undefined, () => {
      const notify = called.getDialog().createRequest('NOTIFY');
      notify.headers.set('event', 'refer').set('subscription-state', state);
      if (type) notify.setBody(type, 'over');
      void called.context.sender
        .ask(notify, called.requestOptions())
        .then((response) => answered.push(response?.status));
    });
    expect(await outcome).toEqual({ kind: 'unknown' });
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    await until(() => answered.length > 0);
    expect([answered, caller.state]).toEqual([[200], 'up']);
  });

  it('refuses a REFER of the far end unless a listener accepts it', async () => {
    const { caller } = await connect();
    expect(await caller.refer('sip:carol@127.0.0.1')).toEqual({ kind: 'refused', status: 603 });
  });

  it('hands a call over to another process by its snapshot', async () => {
    const { caller, called } = await connect();
    const snapshot = JSON.parse(JSON.stringify(caller.snapshot()));
    const carol = await openUserAgent(27_400);
    try {
      carol.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
      // The process that had the call is gone without a word.
      alice.transactions.close();
      const resumed = carol.resume(snapshot)!;
      expect(await resumed.takeOver()).toBe(true);
      const theirs = called.openAudio()!;
      const stop = playTone(resumed.openAudio()!, 500);
      await hearTone(theirs, 500);
      stop();
      const over = nextEvent(resumed, 'ended');
      called.hangUp();
      expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    } finally {
      await carol.close();
    }
  });

  /** A call between Bob and Carol, who has it from Alice, with a session of two seconds. */
  async function takenOver(weRefresh: boolean) {
    await bob.close();
    bob = await openUserAgent(27_200, { leastSessionSeconds: 2 });
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    const { caller, called } = await connect();
    const snapshot = { ...caller.snapshot()!, timer: { expiresSeconds: 2, weRefresh } };
    const carol = await openUserAgent(27_400, { leastSessionSeconds: 2 });
    carol.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    alice.transactions.close();
    const resumed = carol.resume(JSON.parse(JSON.stringify(snapshot)))!;
    expect(await resumed.takeOver()).toBe(true);
    return { carol, resumed, called };
  }

  it('refreshes the session of a call it took over, where that was the task of the process before', async () => {
    const { carol, resumed, called } = await takenOver(true);
    try {
      const startedMs = performance.now();
      let refreshes = 0;
      called.on('changed', () => refreshes++);
      await until(() => refreshes >= 3, 10_000);
      // Longer than the session, which the far end would have ended.
      expect(performance.now() - startedMs).toBeGreaterThan(2_000);
      expect([called.state, resumed.state]).toEqual(['up', 'up']);
    } finally {
      await carol.close();
    }
  });

  it('ends a call it took over once the far end no longer refreshes the session', async () => {
    const { carol, resumed } = await takenOver(false);
    try {
      await nextEvent(resumed, 'changed');
      bob.transactions.close();
      const [end] = await nextEvent(resumed, 'ended');
      expect(end).toMatchObject({ outcome: 'hung-up', by: 'network', reason: 'session expired' });
    } finally {
      await carol.close();
    }
  });

  it('stays in a call that is held without music, as long as the far end answers', async () => {
    await alice.close();
    alice = await openUserAgent(27_000, { silenceTimeoutMs: 300 });
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    const { caller, called } = await connect();
    expect(await called.hold(true)).toBe(true);
    called.media!.close();
    await sleep(1_000);
    expect([caller.state, called.state]).toEqual(['up', 'up']);
    bob.transport.handle({ onRequest: () => {}, onResponse: () => {} });
    expect((await nextEvent(caller, 'ended'))[0]).toMatchObject({
      by: 'network',
      reason: 'the peer does not answer',
    });
  });

  it('tells the far ends when it closes', async () => {
    const { called } = await connect();
    const over = nextEvent(called, 'ended');
    await alice.close();
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    alice = await openUserAgent(27_000);
  });

  it('takes no more calls from one address than it may', async () => {
    await bob.close();
    bob = await openUserAgent(27_200, { mostCallsPerSource: 1 });
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
    await connect();
    const second = alice.call('trunk', CALL)!;
    expect((await nextEvent(second, 'ended'))[0]).toMatchObject({ outcome: 'failed', status: 503 });
  });

  it('encrypts the audio where the trunk asks for it', async () => {
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp'), { srtp: 'required' }));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp'), { srtp: 'optional' }));
    const { caller, called } = await connect();
    expect(caller.media!.negotiation.negotiated?.srtp).not.toBeNull();
    const theirs = called.openAudio()!;
    const stop = playTone(caller.openAudio()!, 500);
    await hearTone(theirs, 500);
    stop();
    expect(called.media!.rtp.receiver.counts.refused).toBe(0);
  });

  it('refuses a call without the encryption the trunk requires', async () => {
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp'), { srtp: 'required' }));
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const ended = nextEvent(caller, 'ended');
    expect(await (await offered).accept()).toBe(false);
    expect((await ended)[0]).toMatchObject({ outcome: 'failed', status: 488 });
  });
});
