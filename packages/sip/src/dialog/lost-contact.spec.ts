import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  FAST_TIMERS,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  PEER_SDP,
  type ScriptedPeer,
} from '../../testing/sip-harness.js';
import { until, VirtualClock } from '@prosa/testing';
import type { IncomingCall } from '../call/incoming-call.js';
import type { OutgoingCall } from '../call/outgoing-call.js';
import { type SipMessage, SipRequest } from '../message/sip-message.js';
import { parseSipMessage } from '../message/sip-parser.js';
import { StreamFramer } from '../transport/stream-framer.js';
import type { SipDns } from '../transport/sip-resolver.js';
import type { UserAgent, UserAgentOptions } from '../user-agent.js';

const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 5_000 };
const NO_RECORDS = { naptr: () => Promise.resolve([]), srv: () => Promise.resolve([]) };
/** How a name server answers for the host of a Contact. */
const NAME_SERVERS: Readonly<Record<string, SipDns>> = {
  'is not known': { ...NO_RECORDS, addresses: () => Promise.resolve([]) },
  'is an error of the name server': { ...NO_RECORDS, addresses: () => Promise.reject(new Error('SERVFAIL')) },
  'leads to a forbidden address': { ...NO_RECORDS, addresses: () => Promise.resolve(['10.1.2.3']) },
  'is never looked up to its end': {
    naptr: () => new Promise(() => {}),
    srv: () => new Promise(() => {}),
    addresses: () => new Promise(() => {}),
  },
};
const FORMS = {
  'a name and a port': '<sip:mod_sofia@pbx-5c9d:5080>',
  'a name alone': '<sip:x@sbc.cluster.example>',
  'a name of no network': '<sip:k3@df7jal23ls0d.invalid;transport=ws>',
} as const;

describe('A call whose peer has a Contact that leads nowhere', () => {
  const opened: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  async function agent(dns: SipDns, options: Partial<UserAgentOptions> = {}): Promise<UserAgent> {
    const isPermitted = (address: string) => address === '127.0.0.1';
    const alice = await openUserAgent(27_600, { dns, isPermitted, keepAliveMs: 0, ...options });
    opened.push(async () => {
      const closed = alice.close();
      if (options.clock instanceof VirtualClock) await options.clock.pass(10_000);
      await closed;
    });
    return alice;
  }

  async function scriptedPeer(): Promise<ScriptedPeer> {
    const peer = await openScriptedPeer();
    opened.push(() => peer.close());
    return peer;
  }

  /** Everything that we may send within the dialog comes to the peer. */
  async function reaches(
    call: OutgoingCall | IncomingCall,
    peer: ScriptedPeer,
    contact: string,
    clock: VirtualClock,
  ): Promise<void> {
    const next = (method: string) => clock.until(peer.next(method));
    const held = call.hold(true);
    peer.answerWith(await next('INVITE'), { contact });
    expect(await clock.until(held)).toBe(true);
    await next('ACK');
    const transferred = call.refer('sip:9@operator.example');
    peer.reply(await next('REFER'), 603, { contact });
    expect(await clock.until(transferred)).toEqual({ kind: 'refused', status: 603 });
    const info = call.getDialog().createRequest('INFO');
    const answered = call.context.sender.ask(info, call.requestOptions());
    peer.reply(await next('INFO'), 200, { contact });
    expect((await clock.until(answered))?.status).toBe(200);
    call.hangUp();
    peer.reply(await next('BYE'), 200, { contact });
  }

  /** An INVITE of the peer, which sees the responses. */
  function inviteOf(peer: ScriptedPeer, contact: string): SipRequest {
    const invite = new SipRequest('INVITE', 'sip:5511@127.0.0.1');
    invite.headers
      .set('via', `SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bKfirst`)
      .set('max-forwards', 70)
      .set('from', '<sip:5522@operator.example>;tag=peer')
      .set('to', '<sip:5511@127.0.0.1>')
      .set('call-id', `call-${peer.port}`)
      .set('cseq', '1 INVITE')
      .set('contact', contact);
    return invite.setBody('application/sdp', PEER_SDP);
  }

  function ackOf(invite: SipRequest, to: string): SipRequest {
    const ack = invite.clone();
    const request = new SipRequest('ACK', ack.uri, ack.headers);
    request.headers
      .set('to', to)
      .set('cseq', '1 ACK')
      .set('via', `${invite.headers.get('via')}ack`);
    return request;
  }

  it.each(
    Object.entries(NAME_SERVERS).flatMap(([answer, dns]) =>
      Object.entries(FORMS).map((form) => [answer, ...form, dns] as const),
    ),
  )('that we have placed goes on where its host %s, %s', async (_answer, _form, contact, dns) => {
    const clock = new VirtualClock();
    const alice = await agent(dns, { clock });
    const peer = await scriptedPeer();
    alice.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    peer.answerWith(await clock.until(peer.next('INVITE')), { contact });
    await clock.until(answered);
    await clock.until(peer.next('ACK'));
    await reaches(call, peer, contact, clock);
  });

  it.each(Object.entries(NAME_SERVERS))(
    'that has come in goes on where its host %s',
    async (_answer, dns) => {
      const clock = new VirtualClock();
      const alice = await agent(dns, { clock });
      const peer = await scriptedPeer();
      alice.addTrunk(loopbackTrunk(9));
      const port = alice.transport.localPort('udp');
      const offered = nextCall(alice);
      const contact = FORMS['a name and a port'];
      const invite = inviteOf(peer, contact);
      peer.send(invite.serialize(), port);
      const call = await clock.until(offered);
      const answered = nextEvent(call, 'answered');
      await clock.until(call.accept());
      await clock.until(answered);
      const ok = await clock.until(peer.response(200));
      peer.send(ackOf(invite, ok.headers.get('to') ?? '').serialize(), port);
      await reaches(call, peer, contact, clock);
    },
  );

  it('looks a name up for two seconds once, and not for each request', async () => {
    const clock = new VirtualClock();
    const alice = await agent(NAME_SERVERS['is never looked up to its end']!, { clock });
    const peer = await scriptedPeer();
    alice.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    peer.answerWith(await clock.until(peer.next('INVITE')), { contact: FORMS['a name alone'] });
    await clock.until(answered);
    const startedMs = clock.nowMs();
    await clock.until(peer.next('ACK'));
    expect(clock.nowMs() - startedMs).toBe(2_000);
    call.hangUp();
    peer.reply(await clock.until(peer.next('BYE')), 200);
    expect(clock.nowMs() - startedMs).toBe(2_000);
  });

  it('hears of its end where its messages come from when the address of the Contact gives no answer', async () => {
    const clock = new VirtualClock();
    const alice = await agent(NAME_SERVERS['is not known']!, { clock });
    const [peer, silent] = [await scriptedPeer(), await scriptedPeer()];
    alice.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    peer.answerWith(await clock.until(peer.next('INVITE')), { contact: `<sip:x@127.0.0.1:${silent.port}>` });
    await clock.until(answered);
    call.hangUp();
    await clock.until(silent.next('BYE'));
    const startedMs = clock.nowMs();
    peer.reply(await clock.until(peer.next('BYE')), 200);
    // After the time of a transaction.
    expect(clock.nowMs() - startedMs).toBe(64 * FAST_TIMERS.t1Ms);
  });

  it('is not asked twice where it answers 503', async () => {
    const alice = await agent(NAME_SERVERS['is not known']!);
    const [peer, other] = [await scriptedPeer(), await scriptedPeer()];
    alice.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    peer.answerWith(await peer.next('INVITE'), { contact: `<sip:x@127.0.0.1:${other.port}>` });
    await answered;
    const refused = call.refer('sip:9@operator.example');
    other.reply(await other.next('REFER'), 503);
    expect(await refused).toEqual({ kind: 'refused', status: 503 });
    expect(peer.received).not.toContain('REFER');
  });

  it('is reached where the first proxy of its route has a name that is not found', async () => {
    const alice = await agent(NAME_SERVERS['is not known']!);
    const peer = await scriptedPeer();
    alice.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    const routed = { contact: '<sip:x@192.0.2.1>', 'record-route': '<sip:kamailio-0:5060;lr>' };
    peer.answerWith(await peer.next('INVITE'), routed);
    await answered;
    expect((await peer.next('ACK')).headers.get('route')).toBe(routed['record-route']);
    call.hangUp();
    peer.reply(await peer.next('BYE'), 200);
  });

  it('goes on with another process', async () => {
    const alice = await agent(NAME_SERVERS['is not known']!);
    const carol = await agent(NAME_SERVERS['is not known']!, { rtpPorts: { from: 27_800, to: 27_900 } });
    const peer = await scriptedPeer();
    for (const each of [alice, carol]) each.addTrunk(loopbackTrunk(peer.port));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    const contact = FORMS['a name and a port'];
    peer.answerWith(await peer.next('INVITE'), { contact });
    await answered;
    await peer.next('ACK');
    const snapshot = JSON.parse(JSON.stringify(call.snapshot()));
    alice.transactions.close();
    const resumed = carol.resume(snapshot)!;
    const taken = resumed.takeOver();
    peer.answerWith(await peer.next('INVITE'), { contact });
    expect(await taken).toBe(true);
    resumed.hangUp();
    peer.reply(await peer.next('BYE'), 200);
  });

  describe('over TCP', () => {
    /** A caller that listens at no port. */
    async function caller(port: number) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      opened.push(() => void socket.destroy());
      const framer = new StreamFramer(() => {});
      const received: SipMessage[] = [];
      socket.on('data', (chunk: Buffer) => {
        for (const bytes of framer.push(chunk)) {
          const parsed = parseSipMessage(bytes);
          if (parsed.kind === 'message') received.push(parsed.message);
        }
      });
      return { socket, received };
    }

    const overTcp = (invite: SipRequest, socket: Socket) => {
      const via = `SIP/2.0/TCP 127.0.0.1:${socket.localPort};branch=z9hG4bKfirst`;
      invite.headers.set('via', via);
      return invite;
    };

    it.each([
      ['a name that is not found', '<sip:x@pbx-5c9d:5080;transport=tcp>'],
      ['a name that is not found, without a transport', '<sip:x@pbx-5c9d>'],
      ['a name that leads to the same machine', '<sip:x@pbx.known.example:9;transport=tcp>'],
    ])('hears of its end by its own connection with %s as Contact', async (_name, contact) => {
      const alice = await agent({
        ...NO_RECORDS,
        addresses: (name) => Promise.resolve(name === 'pbx.known.example' ? ['127.0.0.1'] : []),
      });
      alice.addTrunk(loopbackTrunk(9));
      const { socket, received } = await caller(alice.transport.localPort('tcp'));
      const offered = nextCall(alice);
      const invite = overTcp(inviteOf({ port: socket.localPort } as ScriptedPeer, contact), socket);
      socket.write(invite.serialize());
      const call = await offered;
      const answered = nextEvent(call, 'answered');
      await call.accept();
      await answered;
      const isOk = (message: SipMessage) => message.kind === 'response' && message.status === 200;
      await until(() => received.some(isOk));
      socket.write(ackOf(invite, received.find(isOk)?.headers.get('to') ?? '').serialize());
      call.hangUp();
      await until(() => received.some((message) => message.kind === 'request' && message.method === 'BYE'));
    });
  });
});
