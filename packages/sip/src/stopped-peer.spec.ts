import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeCertificate, until } from '@prosa/testing';
import { loopbackTrunk, nextCall, nextEvent, openUserAgent } from '../testing/sip-harness.js';
import type { SipEndpoint } from './transport/sip-endpoint.js';
import { SipTransportError } from './transport/sip-endpoint.js';
import { STREAM_LIMITS, StreamTransport } from './transport/stream-transport.js';
import type { UserAgent, UserAgentOptions } from './user-agent.js';

const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 60_000 };
const PEER = join(process.cwd(), 'packages/sip/testing/sip-stream-peer.mjs');
const MESSAGE = Buffer.alloc(50_000, 'x');
type Keys = Pick<ReturnType<typeof makeCertificate>, 'key' | 'cert'>;
/** Many times what kernels buffer for a connection that is not read. */
const MOST_MESSAGES = 4_000;
/** After this time kernels buffer no more. */
const SETTLED_MS = 300;

describe('a peer that stopped reading and keeps its connection open', () => {
  const opened: (() => Promise<unknown> | void)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  /** A peer that accepts connections and reads nothing. */
  async function openDeafPeer(): Promise<{ readonly to: SipEndpoint; connected(): Promise<Socket> }> {
    const server = createServer({ pauseOnConnect: true });
    const sockets: Socket[] = [];
    server.on('connection', (socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return {
      to: { protocol: 'tcp', address: '127.0.0.1', port },
      connected: async () => {
        await until(() => sockets.length > 0);
        return sockets.at(-1)!;
      },
    };
  }

  async function openTransport(unsentBytes: number): Promise<StreamTransport> {
    const limits = { ...STREAM_LIMITS, unsentBytes };
    const transport = await StreamTransport.listen('127.0.0.1', 0, () => {}, null, limits);
    opened.push(() => transport.close());
    return transport;
  }

  it('is cut off when too much waits for it, and all that waits fails', async () => {
    const { to } = await openDeafPeer();
    const transport = await openTransport(2 * MESSAGE.length);
    const refusals: unknown[] = [];
    const sending: Promise<unknown>[] = [];
    while (refusals.length === 0 && sending.length < MOST_MESSAGES) {
      sending.push(transport.send(MESSAGE, to).catch((error: unknown) => refusals.push(error)));
      await turn();
    }
    await Promise.all(sending);
    // The one too many, and those that waited.
    expect(refusals.length).toBeGreaterThan(1);
    expect(refusals.every((error) => error instanceof SipTransportError)).toBe(true);
    await transport.send(Buffer.from('over another connection'), to);
  });

  it('is cut off as well when it asks for signs of life that it does not read', async () => {
    const transport = await openTransport(MESSAGE.length + 1);
    const socket = connect(transport.localPort, '127.0.0.1').pause();
    opened.push(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    const { port } = socket.address() as AddressInfo;
    const to: SipEndpoint = { protocol: 'tcp', address: '127.0.0.1', port };
    let isTaken = true;
    for (let sent = 0; sent < MOST_MESSAGES && isTaken; sent++) {
      const sending = transport.send(MESSAGE, to).then(
        () => true,
        () => false,
      );
      isTaken = await Promise.race([sending, sleep(SETTLED_MS, false)]);
    }
    expect(isTaken).toBe(false);
    for (let pings = 0; pings < MOST_MESSAGES && !socket.closed; pings++) {
      socket.write('\r\n\r\n');
      await turn();
    }
    expect(socket.closed).toBe(true);
  });

  it('over TLS costs the calls with it alone: they time out, other trunks go on, and the connection is replaced', async () => {
    const { key, cert } = makeCertificate();
    const [alice, bob] = [await openAgent({ key, cert }, 41_400), await openAgent({ key, cert }, 41_450)];
    const { peer, port, connections } = await startPeer({ key, cert });
    alice.addTrunk(loopbackTrunk(port, { id: 'stopping' }, 'tls'));
    alice.addTrunk(loopbackTrunk(bob.transport.localPort('tls'), { id: 'other' }, 'tls'));
    bob.addTrunk(loopbackTrunk(alice.transport.localPort('tls'), {}, 'tls'));
    const isReachable = (id: string) => alice.trunkStatus(id)?.reachable;
    await until(() => isReachable('stopping') === true && isReachable('other') === true, 20_000);
    expect(connections()).toBe(1);

    peer.kill('SIGSTOP');
    const failing = alice.call('stopping', CALL)!;
    const failed = nextEvent(failing, 'ended', 30_000);
    await talk(alice, bob);
    expect((await failed)[0]).toMatchObject({ outcome: 'failed' });
    await until(() => isReachable('stopping') === false, 20_000);
    await talk(alice, bob);
    expect(isReachable('other')).toBe(true);

    peer.kill('SIGCONT');
    await until(() => isReachable('stopping') === true, 30_000);
    expect(connections()).toBeGreaterThan(1);
    const busy = alice.call('stopping', CALL)!;
    expect((await nextEvent(busy, 'ended', 20_000))[0]).toMatchObject({ outcome: 'busy' });
  }, 120_000);

  it('is not what one is that answers no OPTIONS: its connection stays, for the calls that come by it', async () => {
    const { key, cert } = makeCertificate();
    const alice = await openAgent({ key, cert }, 41_400);
    const { port, connections } = await startPeer({ key, cert, ignores: 'OPTIONS' });
    alice.addTrunk(loopbackTrunk(port, { id: 'mute' }, 'tls'));
    await until(() => alice.trunkStatus('mute')?.reachable === false, 20_000);
    for (let calls = 0; calls < 2; calls++) {
      const busy = alice.call('mute', CALL)!;
      expect((await nextEvent(busy, 'ended', 20_000))[0]).toMatchObject({ outcome: 'busy' });
    }
    expect(connections()).toBe(1);
  }, 60_000);

  function openAgent({ key, cert }: Keys, rtpFrom: number): Promise<UserAgent> {
    const options: Partial<UserAgentOptions> = {
      listen: { host: '127.0.0.1', port: 0, tls: { key, cert, ca: cert, port: 0 } },
      rtpPorts: { from: rtpFrom, to: rtpFrom + 48 },
      keepAliveMs: 300,
    };
    return openUserAgent(rtpFrom, options).then((agent) => {
      opened.push(() => agent.close());
      return agent;
    });
  }

  async function startPeer(settings: Keys & { readonly ignores?: string }) {
    const peer: ChildProcess = fork(PEER);
    opened.push(async () => {
      const gone = once(peer, 'exit');
      peer.kill('SIGKILL');
      await gone;
    });
    let connections = 0;
    peer.on('message', (message: { connections?: number }) => {
      connections = message.connections ?? connections;
    });
    peer.send(settings);
    const [{ port }] = (await once(peer, 'message')) as [{ port: number }];
    return { peer, port, connections: () => connections };
  }

  async function talk(caller: UserAgent, called: UserAgent): Promise<void> {
    const offered = nextCall(called, 20_000);
    const call = caller.call('other', CALL)!;
    const answered = nextEvent(call, 'answered', 20_000);
    expect(await (await offered).accept()).toBe(true);
    await answered;
    const ended = nextEvent(call, 'ended', 20_000);
    call.hangUp();
    await ended;
  }
});
