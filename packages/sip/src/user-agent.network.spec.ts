import { afterEach, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate, until } from '@prosa/testing';
import {
  loopbackTrunk,
  nextCall,
  nextEvent,
  openLossyPath,
  openScriptedPeer,
  openUserAgent,
} from '../testing/sip-harness.js';
import { parseSipMessage } from './message/sip-parser.js';
import type { SipDns } from './transport/sip-resolver.js';
import type { SipTlsOptions } from './transport/stream-transport.js';
import type { SipTrunk } from './trunk/sip-trunk.js';
import type { UserAgent, UserAgentOptions } from './user-agent.js';

const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 5_000 };
const LOGIN = { username: 'operator', password: 'secret' };

describe('UserAgent on the network', () => {
  const opened: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  async function agent(rtpFrom: number, options: Partial<UserAgentOptions> = {}): Promise<UserAgent> {
    const opening = await openUserAgent(rtpFrom, options);
    opened.push(() => opening.close());
    return opening;
  }

  async function scriptedPeer() {
    const peer = await openScriptedPeer();
    opened.push(() => peer.close());
    return peer;
  }

  async function talk(caller: UserAgent, called: UserAgent, trunkId = 'trunk'): Promise<void> {
    const offered = nextCall(called);
    const call = caller.call(trunkId, CALL)!;
    const answered = nextEvent(call, 'answered');
    const incoming = await offered;
    expect(await incoming.accept()).toBe(true);
    await answered;
    expect(await call.hold(true)).toBe(true);
    const ended = nextEvent(call, 'ended');
    incoming.hangUp();
    expect((await ended)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
  }

  it('talks over TCP', async () => {
    const [alice, bob] = [await agent(27_600), await agent(27_800)];
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('tcp'), {}, 'tcp'));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('tcp'), {}, 'tcp'));
    await talk(alice, bob);
  });

  it('connects over TLS only to peers whose certificate it trusts', async () => {
    const tls = { ...makeCertificate(), port: 0 };
    const listen = { host: '127.0.0.1', port: 0 };
    const [alice, bob] = [
      await agent(27_600, { listen: { ...listen, tls } }),
      await agent(27_800, { listen: { ...listen, tls } }),
    ];
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('tls'), {}, 'tls'));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('tls'), {}, 'tls'));
    await talk(alice, bob);

    const carol = await agent(28_000, { listen: { ...listen, tls: { ...tls, ca: makeCertificate().ca } } });
    carol.addTrunk(loopbackTrunk(bob.transport.localPort('tls'), {}, 'tls'));
    const refused = carol.call('trunk', CALL)!;
    expect((await nextEvent(refused, 'ended'))[0]).toMatchObject({
      outcome: 'failed',
      reason: 'the INVITE could not be sent',
    });
  });

  it('shows a renewed certificate on new connections, and keeps those that stand', async () => {
    const [old, renewed] = [makeCertificate(), makeCertificate()];
    const trusts = ({ ca }: { readonly ca: string }) => ({ ...makeCertificate(), ca });
    const listening = (tls: SipTlsOptions) => ({
      listen: { host: '127.0.0.1', port: 0, tls: { ...tls, port: 0 } },
    });
    const bob = await agent(27_600, listening(old));
    const port = bob.transport.localPort('tls');
    const early = await agent(27_800, listening(trusts(old)));
    early.addTrunk(loopbackTrunk(port, {}, 'tls'));
    bob.addTrunk(loopbackTrunk(early.transport.localPort('tls'), {}, 'tls'));
    bob.on('call', (call) => void call.accept());
    const standing = early.call('trunk', CALL)!;
    await nextEvent(standing, 'answered');

    bob.transport.useCertificate(renewed);

    expect(await standing.hold(true)).toBe(true);
    for (const [rtpFrom, trusted, outcome] of [
      [28_000, renewed, 'answered'],
      [28_200, old, 'ended'],
    ] as const) {
      const late = await agent(rtpFrom, listening(trusts(trusted)));
      late.addTrunk(loopbackTrunk(port, {}, 'tls'));
      await nextEvent(late.call('trunk', CALL)!, outcome);
    }
    // A key of another certificate is refused, and changes nothing.
    expect(() => bob.transport.useCertificate({ ...renewed, key: old.key })).toThrow(/key values mismatch/);
    const later = await agent(28_400, listening(trusts(renewed)));
    later.addTrunk(loopbackTrunk(port, {}, 'tls'));
    await nextEvent(later.call('trunk', CALL)!, 'answered');
  });

  it.each([
    ['tls', 'optional', 'optional', 'encrypted'],
    ['tls', 'optional', 'required', 'encrypted'],
    ['tls', 'optional', 'off', 'plain'],
    ['tls', 'required', 'optional', 'encrypted'],
    ['tls', 'required', 'off', 'refused'],
    ['tls', 'off', 'required', 'refused'],
    ['udp', 'optional', 'optional', 'plain'],
    ['udp', 'required', 'optional', 'encrypted'],
  ] as const)(
    'over %s a call out of %s encryption to a peer of %s is %s',
    async (...[protocol, ours, theirs, outcome]) => {
      const listen = { host: '127.0.0.1', port: 0, tls: { ...makeCertificate(), port: 0 } };
      const [alice, bob] = [await agent(27_600, { listen }), await agent(27_800, { listen })];
      alice.addTrunk(loopbackTrunk(bob.transport.localPort(protocol), { srtp: ours }, protocol));
      bob.addTrunk(loopbackTrunk(alice.transport.localPort(protocol), { srtp: theirs }, protocol));
      bob.on('call', (call) => void call.accept());
      const call = alice.call('trunk', CALL)!;
      const fate = await Promise.race([nextEvent(call, 'answered'), nextEvent(call, 'ended')]);
      if (outcome === 'refused') {
        expect(fate).toEqual([expect.objectContaining({ outcome: 'failed', status: 488 })]);
        return;
      }
      expect(call.state).toBe('up');
      expect(call.media?.negotiation.negotiated?.srtp !== null).toBe(outcome === 'encrypted');
      // Changes of the session keep to what was agreed.
      expect(await call.hold(true)).toBe(true);
      expect(call.media?.negotiation.negotiated?.srtp !== null).toBe(outcome === 'encrypted');
    },
  );

  it('loses no call where a fifth of the messages is lost, doubled or late', async () => {
    const [alice, bob] = [await agent(27_600), await agent(27_800)];
    const path = await openLossyPath(bob.transport.localPort('udp'), {
      lost: 0.2,
      doubled: 0.1,
      delayed: 0.2,
    });
    opened.push(() => path.close());
    alice.addTrunk(loopbackTrunk(path.port));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
    bob.on('call', (call) => {
      call.ring();
      void call.accept();
    });
    const ends: string[] = [];
    for (let placed = 0; placed < 25; placed++) {
      const call = alice.call('trunk', CALL)!;
      call.once('answered', () => setTimeout(() => call.hangUp(), 100));
      call.once('ended', ({ outcome }) => ends.push(outcome));
      await sleep(5);
    }
    await until(() => ends.length === 25);
    expect(ends.filter((outcome) => outcome !== 'hung-up')).toEqual([]);
    await until(() => bob.callCount === 0);
    expect(path.counts.lost).toBeGreaterThan(5);
  });

  it('takes a call only from who can log in, and keeps nothing of the others', async () => {
    const bob = await agent(27_600);
    bob.addTrunk(loopbackTrunk(9, { inbound: { addresses: [], credentials: LOGIN } }));
    const port = bob.transport.localPort('udp');
    const right = await agent(27_800);
    right.addTrunk(loopbackTrunk(port, { credentials: LOGIN }));
    await talk(right, bob);

    let offers = 0;
    bob.on('call', () => offers++);
    for (const credentials of [null, { ...LOGIN, password: 'guess' }, { ...LOGIN, username: 'unknown' }]) {
      right.addTrunk(loopbackTrunk(port, { id: 'wrong', credentials }));
      const call = right.call('wrong', CALL)!;
      expect((await nextEvent(call, 'ended'))[0]).toMatchObject({ outcome: 'failed', status: 401 });
    }
    expect(offers).toBe(0);
  });

  it('refuses who calls from an address no trunk has', async () => {
    const bob = await agent(27_600);
    bob.addTrunk(loopbackTrunk(9, { inbound: { addresses: ['192.0.2.0/24'], credentials: null } }));
    const alice = await agent(27_800);
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    const call = alice.call('trunk', CALL)!;
    expect((await nextEvent(call, 'ended'))[0]).toMatchObject({ outcome: 'declined', status: 403 });
  });

  it('tells all the trunks a call may belong to where several accounts share an operator', async () => {
    const bob = await agent(27_600);
    const alice = await agent(27_800);
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    for (const id of ['one', 'two']) bob.addTrunk(loopbackTrunk(9, { id }));
    const offered = nextCall(bob);
    alice.call('trunk', CALL);
    expect((await offered).trunkIds).toEqual(['one', 'two']);
  });

  it('drops the flood of a stranger unread, and goes on with its trunks', async () => {
    const sourceLimits = {
      stranger: { perSecond: 10, burst: 20 },
      strangers: { perSecond: 50, burst: 50 },
      known: { perSecond: 1_000, burst: 1_000 },
      sources: 100,
    };
    const bob = await agent(27_600, { listen: { host: '127.0.0.1', port: 0, sourceLimits } });
    const alice = await agent(27_800);
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
    const stranger = createSocket('udp4');
    stranger.bind(0, '127.8.8.8');
    await once(stranger, 'listening');
    opened.push(() => void stranger.close());
    let answers = 0;
    stranger.on('message', () => answers++);
    for (let count = 0; count < 500; count++) {
      stranger.send(
        `INVITE sip:1@x SIP/2.0\r\nVia: SIP/2.0/UDP 127.8.8.8;rport;branch=z9hG4bK${count}\r\nFrom: <sip:a@b>;tag=${count}\r\nTo: <sip:1@x>\r\nCall-ID: ${count}\r\nCSeq: 1 INVITE\r\nContact: <sip:a@127.8.8.8>\r\n\r\n`,
        bob.transport.localPort('udp'),
        '127.0.0.1',
      );
    }
    await until(() => bob.transport.counts.limited >= 450);
    await talk(alice, bob);
    expect(answers).toBeLessThanOrEqual(30);
    expect(bob.transactions.size.servers).toBeLessThan(10);
  });

  it('goes on to the next server of a name, and remembers which one was dead', async () => {
    const bob = await agent(27_600);
    const port = bob.transport.localPort('udp');
    const dns: SipDns = {
      naptr: () => Promise.resolve([]),
      srv: (name) =>
        Promise.resolve(
          name === '_sip._udp.operator.test'
            ? [
                { priority: 1, weight: 0, port: 9, name: 'dead.test' },
                { priority: 2, weight: 0, port, name: 'alive.test' },
              ]
            : [],
        ),
      addresses: () => Promise.resolve(['127.0.0.1']),
    };
    const alice = await agent(27_800, { dns, keepAliveMs: 0 });
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('udp')));
    alice.addTrunk(loopbackTrunk(0, { target: { host: 'operator.test', port: null, protocol: 'udp' } }));
    await talk(alice, bob);
    const startedAt = performance.now();
    await talk(alice, bob);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  it('stays registered as the registrar wants it, and signs off', async () => {
    const registrar = await scriptedPeer();
    const alice = await agent(27_600, { keepAliveMs: 0 });
    const trunk: SipTrunk = loopbackTrunk(registrar.port, {
      credentials: LOGIN,
      registration: { user: 'alice', expiresSeconds: 60 },
    });
    alice.addTrunk(trunk);
    const first = await registrar.next('REGISTER');
    expect(first.headers.get('expires')).toBe('60');
    registrar.reply(first, 423, { 'min-expires': '90' });
    const second = await registrar.next('REGISTER');
    expect([second.headers.get('expires'), second.callId]).toEqual(['90', first.callId]);
    registrar.reply(second, 401, {
      'www-authenticate': 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"',
    });
    const third = await registrar.next('REGISTER');
    expect(third.headers.get('authorization')).toMatch(/^Digest username="operator", realm="r"/);
    expect(third.cseq.number).toBeGreaterThan(second.cseq.number);
    // It grants one second to us, and an hour to another telephone of the account.
    const contact = third.headers.get('contact')!;
    registrar.reply(third, 200, { contact: `<sip:other@192.0.2.1>;expires=3600, ${contact};expires=1` });
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    const refresh = await registrar.next('REGISTER');
    registrar.reply(refresh, 200, { contact: `${contact};expires=3600` });
    const removed = alice.removeTrunk('trunk');
    const last = await registrar.next('REGISTER');
    expect(last.headers.get('expires')).toBe('0');
    registrar.reply(last, 200);
    await removed;
  });

  it.each([
    ['the same Contact: it is renewed, not signed off', ['secret'], ['60']],
    ['another Contact: the old one is signed off before', ['other'], ['0', '60']],
    ['another Contact and back: it is signed off before', ['other', 'secret'], ['0', '60']],
  ])('registers a changed trunk with %s', async (_name, contactUsers, expected) => {
    const registrar = await scriptedPeer();
    const alice = await agent(27_600, { keepAliveMs: 0 });
    const trunk = loopbackTrunk(registrar.port, {
      registration: { user: 'alice', expiresSeconds: 60 },
      contactUser: 'secret',
    });
    alice.addTrunk(trunk);
    registrar.reply(await registrar.next('REGISTER'), 200);
    const isRegistered = () => alice.trunkStatus('trunk')?.registration?.state === 'registered';
    await until(isRegistered);
    for (const contactUser of contactUsers) alice.addTrunk({ ...trunk, srtp: 'optional', contactUser });
    for (const expires of expected) {
      const register = await registrar.next('REGISTER');
      expect(register.headers.get('expires')).toBe(expires);
      await sleep(100);
      // Nothing else is under way at the same time.
      expect(registrar.received.length).toBe(2 + expected.indexOf(expires));
      registrar.reply(register, 200);
    }
    await until(isRegistered);
  });

  it('closes in time although its registrar says nothing', async () => {
    const registrar = await scriptedPeer();
    const alice = await openUserAgent(27_600, { keepAliveMs: 0 });
    alice.addTrunk(loopbackTrunk(registrar.port, { registration: { user: 'alice', expiresSeconds: 60 } }));
    registrar.reply(await registrar.next('REGISTER'), 200);
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    const startedAt = performance.now();
    await alice.close();
    expect((await registrar.next('REGISTER')).headers.get('expires')).toBe('0');
    // Eight times T1; the transaction would have waited 64.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('tells the registrar its address as that sees it, behind NAT', async () => {
    const registrar = await scriptedPeer();
    const alice = await agent(27_600, { keepAliveMs: 0 });
    alice.addTrunk(loopbackTrunk(registrar.port, { registration: { user: 'alice', expiresSeconds: 60 } }));
    const inside = await registrar.next('REGISTER');
    expect(inside.contact?.uri).toContain('@127.0.0.1:');
    registrar.reply(inside, 200, {
      via: `${inside.headers.get('via')};received=203.0.113.5`.replace(';rport', ';rport=6000'),
    });
    const outside = await registrar.next('REGISTER');
    expect(outside.contact?.uri).toMatch(/@203\.0\.113\.5:6000$/);
    expect(outside.via).toMatchObject({ host: '203.0.113.5', port: 6_000 });
  });

  it('takes the calls of its registrar only at the Contact that it registered', async () => {
    const registrar = await scriptedPeer();
    const alice = await agent(27_600, { keepAliveMs: 0 });
    alice.addTrunk(
      loopbackTrunk(registrar.port, { inbound: null, registration: { user: 'alice', expiresSeconds: 60 } }),
    );
    const register = await registrar.next('REGISTER');
    registrar.reply(register, 200);
    await until(() => alice.trunkStatus('trunk')?.registration?.state === 'registered');
    const uri = register.contact!.uri;
    const invite = (target: string) =>
      `INVITE ${target} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${registrar.port};branch=z9hG4bK${target}\r\nFrom: <sip:9@r>;tag=1\r\nTo: <sip:alice@r>\r\nCall-ID: ${target}\r\nCSeq: 1 INVITE\r\nContact: <sip:9@127.0.0.1:${registrar.port}>\r\n\r\n`;
    const port = alice.transport.localPort('udp');
    const offered = nextCall(alice);
    registrar.send(invite(uri.replace(/sip:[^@]+/, 'sip:alice')), port);
    registrar.send(invite(uri), port);
    expect((await offered).callId).toBe(uri);
    expect(alice.callCount).toBe(1);
  });

  it('answers what it cannot read with the reason, where it knows whom', async () => {
    const bob = await agent(27_600);
    const peer = createSocket('udp4');
    peer.bind(0, '127.0.0.1');
    await once(peer, 'listening');
    opened.push(() => void peer.close());
    const heard = once(peer, 'message');
    peer.send(
      'OPTIONS sip:a SIP/3.0\r\nVia: SIP/2.0/UDP 127.0.0.1;rport;branch=z9hG4bKa\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a>\r\nCall-ID: x\r\nCSeq: 1 OPTIONS\r\n\r\n',
      bob.transport.localPort('udp'),
      '127.0.0.1',
    );
    const parsed = parseSipMessage((await heard)[0] as Buffer);
    expect(parsed).toMatchObject({ kind: 'message', message: { status: 505 } });
  });
});
