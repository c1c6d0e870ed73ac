import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  FAST_TIMERS,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  type ScriptedPeer,
} from '../testing/sip-harness.js';
import { until } from '@prosa/testing';
import type { IncomingCall } from './call/incoming-call.js';
import type { OutgoingCall } from './call/outgoing-call.js';
import type { SendGate } from './transport/process-pause-guard.js';
import type { UserAgent } from './user-agent.js';

const CALL = { to: '5511999990000', from: '551130000000', ringingTimeoutMs: 5_000 };
/** What was sent before has arrived by then. */
const ON_ITS_WAY_MS = 100;
/** Several retransmissions. */
const WHILE_MS = FAST_TIMERS.t1Ms * 8;

/** A gate that the test opens and closes. */
class HandGate implements SendGate {
  private opened: Promise<void> | null = null;
  open: () => void = () => undefined;

  isOpen(): boolean {
    return this.opened === null;
  }

  async whenOpen(): Promise<void> {
    await this.opened;
  }

  close(): void {
    this.opened = new Promise((resolve) => {
      this.open = () => {
        this.opened = null;
        resolve();
      };
    });
  }
}

describe('a user agent whose process has stood still', () => {
  let gate: HandGate;
  let agent: UserAgent;

  beforeEach(async () => {
    gate = new HandGate();
    agent = await openUserAgent(27_800, { listen: { host: '127.0.0.1', port: 0, gate }, keepAliveMs: 0 });
  });
  afterEach(() => agent.close());

  describe('with another one at the far end', () => {
    let far: UserAgent;
    let caller: OutgoingCall;
    let called: IncomingCall;

    beforeEach(async () => {
      far = await openUserAgent(28_000, { keepAliveMs: 0 });
      agent.addTrunk(loopbackTrunk(far.transport.localPort('udp')));
      far.addTrunk(loopbackTrunk(agent.transport.localPort('udp')));
      const offered = nextCall(far);
      caller = agent.call('trunk', CALL)!;
      const answered = nextEvent(caller, 'answered');
      called = await offered;
      await called.accept();
      await answered;
      await until(() => heard() > 5);
    });
    afterEach(() => far.close());

    const heard = () => called.media?.rtp.receiver.counts.accepted ?? 0;

    it('sends no sound and no message, and goes on with both when the call is still its own', async () => {
      gate.close();
      await sleep(ON_ITS_WAY_MS);
      const [packets, messages] = [heard(), far.transport.counts.received];
      const ended = nextEvent(called, 'ended');
      const held = caller.hold(true);
      await sleep(WHILE_MS);
      expect(heard()).toBe(packets);
      expect(far.transport.counts.received).toBe(messages);
      gate.open();
      expect(await held).toBe(true);
      caller.hangUp();
      expect((await ended)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    });

    it('sends nothing for a call that was abandoned during the standstill, not even the BYE that was due', async () => {
      const ends: unknown[] = [];
      called.on('ended', (end) => ends.push(end));
      gate.close();
      await sleep(ON_ITS_WAY_MS);
      caller.hangUp();
      caller.abandon();
      const [packets, messages] = [heard(), far.transport.counts.received];
      gate.open();
      await sleep(WHILE_MS);
      expect(heard()).toBe(packets);
      expect(far.transport.counts.received).toBe(messages);
      expect(ends).toEqual([]);
    });

    it('leaves requests of the far end of an abandoned call unanswered: 481 would end it', async () => {
      caller.abandon();
      const ended: unknown[] = [];
      called.on('ended', (end) => ended.push(end));
      const messages = far.transport.counts.received;
      void called.hold(true);
      await sleep(WHILE_MS);
      expect(far.transport.counts.received).toBe(messages);
      expect(ended).toEqual([]);
    });
  });

  describe('with a far end that waits', () => {
    let peer: ScriptedPeer;

    beforeEach(async () => {
      peer = await openScriptedPeer();
    });
    afterEach(() => peer.close());

    it('leaves a trunk to another process without signing off', async () => {
      const registration = { user: 'prosa', expiresSeconds: 300 };
      agent.addTrunk(loopbackTrunk(peer.port, { registration }));
      peer.reply(await peer.next('REGISTER'), 200, { expires: '300' });
      await until(() => agent.trunkStatus('trunk')?.registration?.state === 'registered');
      agent.forgetTrunk('trunk');
      expect(agent.trunkStatus('trunk')).toBeNull();
      await sleep(WHILE_MS);
      expect(peer.received).toEqual(['REGISTER']);
    });

    it('ignores requests that arrived during the standstill until they are repeated', async () => {
      agent.addTrunk(loopbackTrunk(peer.port));
      const calls: IncomingCall[] = [];
      agent.on('call', (call) => calls.push(call));
      const invite = (cseq: number) =>
        [
          `INVITE sip:1@127.0.0.1 SIP/2.0`,
          `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bKstale`,
          'Max-Forwards: 70',
          'From: <sip:5511@127.0.0.1>;tag=a',
          'To: <sip:1@127.0.0.1>',
          'Call-ID: stale',
          `CSeq: ${cseq} INVITE`,
          `Contact: <sip:5511@127.0.0.1:${peer.port}>`,
          'Content-Length: 0',
          '',
          '',
        ].join('\r\n');
      gate.close();
      peer.send(invite(1), agent.transport.localPort('udp'));
      await until(() => agent.transport.counts.received > 0);
      expect(agent.transactions.size.servers).toBe(0);
      gate.open();
      peer.send(invite(1), agent.transport.localPort('udp'));
      await until(() => calls.length === 1);
      calls[0]?.reject(480);
    });
  });
});

describe('a call whose process has stood still for longer than a far end may be silent', () => {
  it('is not given up at once: nothing could be heard', async () => {
    const [near, far] = await Promise.all([openUserAgent(28_200, { silenceTimeoutMs: 400 }), silentPeer()]);
    near.addTrunk(loopbackTrunk(far.port));
    const call = near.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    far.answer(await far.next('INVITE'), 'peer', far.rtpPort);
    await answered;
    const speaking = setInterval(() => far.speak(call.media?.rtp.localPort ?? 0), 20);
    await until(() => (call.media?.rtp.receiver.counts.accepted ?? 0) > 5);
    const blockedUntil = performance.now() + 1_500;
    // Blocks the event loop.
    while (performance.now() < blockedUntil);
    await sleep(200);
    expect(call.state).toBe('up');
    expect(far.received.filter((method) => method === 'INVITE')).toHaveLength(1);
    clearInterval(speaking);
    const ended = nextEvent(call, 'ended');
    far.reply(await far.next('INVITE'), 481);
    expect((await ended)[0]).toMatchObject({ by: 'network', reason: 'the peer does not know the call' });
    await near.close();
    far.close();
  });
});

/** A peer that sends sound only when the test asks for it. */
async function silentPeer() {
  const peer = await openScriptedPeer();
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let sequence = 0;
  return {
    ...peer,
    rtpPort: socket.address().port,
    speak: (port: number) => {
      const packet = Buffer.alloc(12 + 160, 0xff);
      packet.set([0x80, 0], 0);
      packet.writeUInt16BE(++sequence, 2);
      packet.writeUInt32BE(sequence * 160, 4);
      packet.writeUInt32BE(7, 8);
      socket.send(packet, port, '127.0.0.1');
    },
    close: () => {
      peer.close();
      socket.close();
    },
  };
}
