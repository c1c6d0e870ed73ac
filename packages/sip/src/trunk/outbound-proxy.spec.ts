import { afterEach, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
  PEER_SDP,
} from '../../testing/sip-harness.js';
import { until } from '@prosa/testing';
import { SipRequest, type SipResponse } from '../message/sip-message.js';
import { parseSipMessage } from '../message/sip-parser.js';
import type { SipDns, SipTargetName } from '../transport/sip-resolver.js';
import type { UserAgent, UserAgentOptions } from '../user-agent.js';
import type { SipTrunk } from './sip-trunk.js';
import { writeRoute } from './trunk-route.js';

const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 5_000 };
const CHALLENGE = { 'www-authenticate': 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"' };
/** Nothing listens there. */
const OPERATOR: SipTargetName = { host: '127.0.0.1', port: 9, protocol: 'udp' };

describe('The outbound proxy of a trunk', () => {
  const opened: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  async function agent(options: Partial<UserAgentOptions> = {}): Promise<UserAgent> {
    const alice = await openUserAgent(27_600, { keepAliveMs: 0, ...options });
    opened.push(() => alice.close());
    return alice;
  }

  async function proxy() {
    const peer = await openScriptedPeer();
    opened.push(() => peer.close());
    const target: SipTargetName = { host: '127.0.0.1', port: peer.port, protocol: 'udp' };
    return { ...peer, target, route: `<sip:127.0.0.1:${peer.port};transport=udp;lr>` };
  }

  const trunkBehind = (outboundProxy: SipTargetName, changes: Partial<SipTrunk> = {}) =>
    loopbackTrunk(9, {
      target: OPERATOR,
      outboundProxy,
      credentials: { username: 'a', password: 'b' },
      ...changes,
    });

  it('gets the INVITE with a Route, at every attempt, while the Request-URI is the operator', async () => {
    const alice = await agent();
    const peer = await proxy();
    alice.addTrunk(trunkBehind(peer.target));
    const call = alice.call('trunk', CALL)!;
    const answered = nextEvent(call, 'answered');
    const first = await peer.next('INVITE');
    expect([first.uri, first.headers.all('route')]).toEqual(['sip:5511@127.0.0.1:9', [peer.route]]);
    expect(first.to?.uri).toBe('sip:5511@127.0.0.1:9');
    peer.reply(first, 401, CHALLENGE);
    expect((await peer.next('ACK')).headers.all('route')).toEqual([peer.route]);
    const second = await peer.next('INVITE');
    expect([second.uri, second.headers.all('route')]).toEqual([first.uri, [peer.route]]);
    expect(second.headers.get('authorization')).toContain('uri="sip:5511@127.0.0.1:9"');
    peer.answer(second);
    await answered;
    // Within the dialog the Record-Route decides, and this proxy has written none.
    const ack = await peer.next('ACK');
    expect([ack.uri, ack.headers.all('route')]).toEqual([`sip:peer@127.0.0.1:${peer.port}`, []]);
  });

  it('gets the CANCEL the same way', async () => {
    const alice = await agent();
    const peer = await proxy();
    alice.addTrunk(trunkBehind(peer.target));
    const call = alice.call('trunk', CALL)!;
    const invite = await peer.next('INVITE');
    peer.reply(invite, 180);
    await nextEvent(call, 'ringing');
    call.hangUp();
    const cancel = await peer.next('CANCEL');
    expect([cancel.uri, cancel.headers.all('route')]).toEqual([invite.uri, [peer.route]]);
    peer.reply(cancel, 200);
    peer.reply(invite, 487);
  });

  it('gets registrations, and signing off, with a Route', async () => {
    const alice = await agent();
    const peer = await proxy();
    alice.addTrunk(trunkBehind(peer.target, { registration: { user: 'alice', expiresSeconds: 60 } }));
    const register = await peer.next('REGISTER');
    expect([register.uri, register.headers.all('route')]).toEqual(['sip:127.0.0.1', [peer.route]]);
    peer.reply(register, 401, CHALLENGE);
    const second = await peer.next('REGISTER');
    expect(second.headers.all('route')).toEqual([peer.route]);
    peer.reply(second, 200);
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    const removed = alice.removeTrunk('trunk');
    const last = await peer.next('REGISTER');
    expect([last.headers.get('expires'), last.headers.all('route')]).toEqual(['0', [peer.route]]);
    peer.reply(last, 200);
    await removed;
  });

  it('is left when it changes: the registration is signed off there before', async () => {
    const alice = await agent();
    const [old, other] = [await proxy(), await proxy()];
    const registration = { user: 'alice', expiresSeconds: 60 };
    alice.addTrunk(trunkBehind(old.target, { registration, contactUser: 'secret' }));
    old.reply(await old.next('REGISTER'), 200);
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    alice.addTrunk(trunkBehind(other.target, { registration, contactUser: 'secret' }));
    const signedOff = await old.next('REGISTER');
    expect(signedOff.headers.get('expires')).toBe('0');
    old.reply(signedOff, 200);
    expect((await other.next('REGISTER')).headers.get('expires')).toBe('60');
  });

  it('is asked whether the operator is there', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    opened.push(() => void socket.close());
    await once(socket, 'listening');
    const { port } = socket.address();
    const alice = await agent({ keepAliveMs: 30_000 });
    const asked = once(socket, 'message');
    alice.addTrunk(trunkBehind({ host: '127.0.0.1', port, protocol: null }));
    const parsed = parseSipMessage((await asked)[0] as Buffer);
    const request = parsed.kind === 'message' && parsed.message.kind === 'request' ? parsed.message : null;
    expect([request?.method, request?.uri]).toEqual(['OPTIONS', 'sip:127.0.0.1:9']);
    expect(request?.headers.all('route')).toEqual([`<sip:127.0.0.1:${port};lr>`]);
  });

  it('does not get calls that go elsewhere', async () => {
    const alice = await agent();
    const [peer, elsewhere] = [await proxy(), await proxy()];
    alice.addTrunk(trunkBehind(peer.target));
    alice.call('trunk', { ...CALL, to: `sip:9@127.0.0.1:${elsewhere.port}`, elsewhere: elsewhere.target });
    expect((await elsewhere.next('INVITE')).headers.all('route')).toEqual([]);
    expect(peer.received).toEqual([]);
  });

  it('is found as DNS says, SRV records included', async () => {
    const peer = await proxy();
    const dns: SipDns = {
      naptr: () => Promise.resolve([]),
      srv: (name) =>
        Promise.resolve(
          name === '_sip._udp.edge.example'
            ? [{ priority: 1, weight: 0, port: peer.port, name: 'a.edge.example' }]
            : [],
        ),
      addresses: (name) => Promise.resolve(name === 'a.edge.example' ? ['127.0.0.1'] : []),
    };
    const alice = await agent({ dns });
    alice.addTrunk(trunkBehind({ host: 'edge.example', port: null, protocol: null }));
    alice.call('trunk', CALL);
    const invite = await peer.next('INVITE');
    expect(invite.headers.all('route')).toEqual(['<sip:edge.example;lr>']);
    expect(invite.uri).toBe('sip:5511@127.0.0.1:9');
  });

  it('that leads to a forbidden address gets nothing', async () => {
    const peer = await proxy();
    const dns: SipDns = {
      naptr: () => Promise.resolve([]),
      srv: () => Promise.resolve([]),
      addresses: () => Promise.resolve(['127.0.0.1']),
    };
    const alice = await agent({ dns, isPermitted: () => false });
    alice.addTrunk(trunkBehind({ host: 'edge.example', port: peer.port, protocol: 'udp' }));
    const call = alice.call('trunk', CALL)!;
    expect((await nextEvent(call, 'ended'))[0]).toMatchObject({ outcome: 'failed', status: null });
    expect(peer.received).toEqual([]);
  });

  it('is trusted for calls in at all of its addresses, as the registrar is', async () => {
    const peer = await proxy();
    const dns: SipDns = {
      naptr: () => Promise.resolve([]),
      srv: () => Promise.resolve([]),
      addresses: (name) =>
        Promise.resolve(name === 'edge.example' ? ['127.0.0.1', '127.0.0.21'] : ['127.0.0.22']),
    };
    const alice = await agent({ dns });
    alice.addTrunk(
      trunkBehind(
        { host: 'edge.example', port: peer.port, protocol: 'udp' },
        {
          target: { host: 'sip.example', port: null, protocol: 'udp' },
          inbound: null,
          registration: { user: 'alice', expiresSeconds: 60 },
        },
      ),
    );
    const register = await peer.next('REGISTER');
    peer.reply(register, 200);
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    const uri = register.contact!.uri;
    for (const address of ['127.0.0.21', '127.0.0.22']) {
      const offered = nextCall(alice);
      await inviteFrom(address, uri);
      expect((await offered).source.address).toBe(address);
    }
    expect((await inviteFrom('127.0.0.23', uri)).status).toBe(403);
  });

  /** Sends an INVITE from an address of loopback. @returns the first response */
  async function inviteFrom(address: string, uri: string): Promise<SipResponse> {
    const socket = createSocket('udp4').bind(0, address);
    opened.push(() => void socket.close());
    await once(socket, 'listening');
    const { port } = socket.address();
    const invite = new SipRequest('INVITE', uri);
    invite.headers
      .set('via', `SIP/2.0/UDP ${address}:${port};rport;branch=z9hG4bK${port}`)
      .set('from', '<sip:9@r>;tag=1')
      .set('to', '<sip:alice@r>')
      .set('call-id', `${address}-${port}`)
      .set('cseq', '1 INVITE')
      .set('contact', `<sip:9@${address}:${port}>`);
    invite.setBody('application/sdp', PEER_SDP);
    const answered = once(socket, 'message');
    const [, agentPort = ''] = /:(\d+)$/.exec(uri) ?? [];
    socket.send(invite.serialize(), Number(agentPort), '127.0.0.1');
    const parsed = parseSipMessage((await answered)[0] as Buffer);
    if (parsed.kind !== 'message' || parsed.message.kind !== 'response') throw new Error('no response');
    return parsed.message;
  }
});

describe('A Route', () => {
  it.each<[string, SipTargetName, string]>([
    ['a name', { host: 'edge.example', port: null, protocol: null }, '<sip:edge.example;lr>'],
    ['a port', { host: 'edge.example', port: 5080, protocol: null }, '<sip:edge.example:5080;lr>'],
    ['TLS', { host: 'edge.example', port: null, protocol: 'tls' }, '<sip:edge.example;transport=tls;lr>'],
    [
      'IPv4',
      { host: '198.51.100.7', port: 5060, protocol: 'tcp' },
      '<sip:198.51.100.7:5060;transport=tcp;lr>',
    ],
    ['IPv6', { host: '2001:db8::5', port: null, protocol: null }, '<sip:[2001:db8::5];lr>'],
    [
      'IPv6 with a port',
      { host: '2001:db8::5', port: 5070, protocol: 'udp' },
      '<sip:[2001:db8::5]:5070;transport=udp;lr>',
    ],
  ])('names a proxy with %s', (_name, outboundProxy, written) => {
    const request = new SipRequest('INVITE', 'sip:a@b');
    writeRoute(request, loopbackTrunk(9, { outboundProxy }));
    expect(request.headers.all('route')).toEqual([written]);
  });

  it.each([null, undefined])('is not written where the proxy is %j', (outboundProxy) => {
    const request = new SipRequest('INVITE', 'sip:a@b');
    writeRoute(request, loopbackTrunk(9, { outboundProxy }));
    expect(request.headers.has('route')).toBe(false);
  });
});
