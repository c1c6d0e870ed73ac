import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  type ScriptedPeer,
} from '../testing/sip-harness.js';
import { until } from '@prosa/testing';
import type { SipCall } from './call/sip-call.js';
import type { SipRequest } from './message/sip-message.js';
import type { UserAgent } from './user-agent.js';

const CALL = { to: '+5511987654321', from: '+551155500011', ringingTimeoutMs: 5_000, callId: 'silent' };
const SILENCE_MS = 300;

const RTCP_RECEIVER_REPORT = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 7]);
const STUN_BINDING_INDICATION = Buffer.from([
  0,
  0x11,
  0,
  0,
  0x21,
  0x12,
  0xa4,
  0x42,
  ...Array.from({ length: 12 }, () => 7),
]);
const COMFORT_NOISE = Buffer.from([0x80, 13, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 60]);

async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

describe('a SIP call whose far end sends no sound', () => {
  let near: UserAgent;
  let peer: ScriptedPeer;
  let sound: Socket;

  beforeEach(async () => {
    [near, peer, sound] = await Promise.all([
      openUserAgent(28_400, { silenceTimeoutMs: SILENCE_MS }),
      openScriptedPeer(),
      openSocket('127.0.0.1'),
    ]);
    near.addTrunk(loopbackTrunk(peer.port));
  });
  afterEach(async () => {
    await near.close();
    peer.close();
    sound.close();
  });

  async function answered(): Promise<{ call: SipCall; invite: SipRequest }> {
    const call = near.call('trunk', CALL)!;
    const up = nextEvent(call, 'answered');
    const invite = await peer.next('INVITE');
    peer.answer(invite, 'peer', sound.address().port);
    await up;
    return { call, invite };
  }

  const refreshes = () => peer.received.filter((method) => method === 'INVITE').length - 1;

  it('goes on as long as it answers the refreshes, which come again and again', async () => {
    const { call } = await answered();
    for (let refresh = 0; refresh < 3; refresh++) {
      const request = await peer.next('INVITE');
      expect(request.sdp).toContain('a=sendrecv');
      peer.answer(request, 'peer', sound.address().port);
    }
    expect(call.state).toBe('up');
  });

  it('is refreshed by UPDATE where the far end takes that', async () => {
    const far = await openUserAgent(28_600);
    try {
      near.addTrunk(loopbackTrunk(far.transport.localPort('udp')));
      far.addTrunk(loopbackTrunk(near.transport.localPort('udp')));
      const offered = nextCall(far);
      const call = near.call('trunk', CALL)!;
      const called = await offered;
      const updates: string[] = [];
      far.on('call', () => updates.push('another call'));
      await called.accept();
      called.media!.close();
      called.on('changed', () => updates.push('changed'));
      await sleep(4 * SILENCE_MS);
      expect([call.state, called.state]).toEqual(['up', 'up']);
      expect(updates.length).toBeGreaterThanOrEqual(2);
    } finally {
      await far.close();
    }
  });

  it.each([
    ['481', 'the peer does not know the call'],
    ['408', 'the peer does not know the call'],
    ['nothing', 'the peer does not answer'],
  ])('ends when the answer to a refresh is %s', async (answer, reason) => {
    const { call } = await answered();
    const ended = nextEvent(call, 'ended', 10_000);
    const request = await peer.next('INVITE');
    if (answer !== 'nothing') peer.reply(request, Number(answer));
    expect((await ended)[0]).toMatchObject({ outcome: 'hung-up', by: 'network', reason });
  });

  it('goes on when the refresh is only refused', async () => {
    const { call } = await answered();
    peer.reply(await peer.next('INVITE'), 488);
    peer.answer(await peer.next('INVITE'), 'peer', sound.address().port);
    await sleep(50);
    expect(call.state).toBe('up');
  });

  it.each([
    ['RTCP', RTCP_RECEIVER_REPORT],
    ['STUN', STUN_BINDING_INDICATION],
    ['comfort noise', COMFORT_NOISE],
    ['an empty datagram', Buffer.alloc(0)],
  ])('is not asked whether it is there while it sends %s', async (_what, bytes) => {
    const { call } = await answered();
    const port = call.media!.rtp.localPort;
    const sending = setInterval(() => sound.send(bytes, port, '127.0.0.1'), SILENCE_MS / 6);
    await sleep(4 * SILENCE_MS);
    clearInterval(sending);
    expect(refreshes()).toBe(0);
    await until(() => refreshes() > 0);
  });

  it('is not kept up by strangers', async () => {
    const { call } = await answered();
    const stranger = await openSocket('127.0.0.9');
    const sending = setInterval(
      () => stranger.send(RTCP_RECEIVER_REPORT, call.media!.rtp.localPort, '127.0.0.1'),
      SILENCE_MS / 6,
    );
    await until(() => refreshes() > 0);
    clearInterval(sending);
    stranger.close();
  });

  /** A request of the far end within the call. */
  function changes(
    method: string,
    { invite, number, sdp }: { invite: SipRequest; number: number; sdp: string },
  ): Buffer {
    const { headers } = invite;
    const contact = /<([^>]+)>/.exec(headers.get('contact') ?? '')?.[1] ?? '';
    const lines = [
      `${method} ${contact} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK-${method}-${number}`,
      'Max-Forwards: 70',
      `From: ${headers.get('to')};tag=peer`,
      `To: ${headers.get('from')}`,
      `Call-ID: ${headers.get('call-id')}`,
      `CSeq: ${number} ${method}`,
      `Contact: <sip:peer@127.0.0.1:${peer.port}>`,
      'Content-Type: application/sdp',
      `Content-Length: ${Buffer.byteLength(sdp)}`,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${sdp}`);
  }

  function sdpOf(version: number, address: string, direction: string): string {
    const { port } = sound.address();
    const lines = ['v=0', `o=- 1 ${version} IN IP4 127.0.0.1`, 's=-', `c=IN IP4 ${address}`, 't=0 0'];
    lines.push(`m=audio ${port} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', `a=${direction}`, '');
    return lines.join('\r\n');
  }

  it.each([
    ['INVITE', '127.0.0.1', 'inactive', true],
    ['INVITE', '127.0.0.1', 'sendonly', true],
    ['INVITE', '0.0.0.0', 'sendrecv', true],
    ['UPDATE', '127.0.0.1', 'inactive', true],
    ['UPDATE', '0.0.0.0', 'sendonly', true],
    ['INVITE', '127.0.0.1', 'recvonly', false],
    ['INVITE', '127.0.0.1', 'sendrecv', false],
  ])('tells of a hold by %s with %s and %s: %s', async (method, address, direction, isHold) => {
    const { call, invite } = await answered();
    const reported: boolean[] = [];
    call.on('hold', (isHeld) => reported.push(isHeld));
    const changed = nextEvent(call, 'changed');
    const port = near.transport.localPort('udp');
    peer.send(changes(method, { invite, number: 1, sdp: sdpOf(2, address, direction) }), port);
    await changed;
    expect([call.isHeld, reported]).toEqual([isHold, isHold ? [true] : []]);
    const resumed = nextEvent(call, 'changed');
    peer.send(changes(method, { invite, number: 2, sdp: sdpOf(3, '127.0.0.1', 'sendrecv') }), port);
    await resumed;
    expect([call.isHeld, reported]).toEqual([false, isHold ? [true, false] : []]);
  });
});
