import { once } from 'node:events';
import { connect as connectTcp, createServer, isIP, type Server, type Socket } from 'node:net';
import {
  connect as connectTls,
  createServer as createTlsServer,
  Server as TlsServer,
  type TlsOptions,
} from 'node:tls';
import { type SipEndpoint, SipTransportError } from './sip-endpoint.js';
import type { SipReceiver, SipTransport } from './sip-transport.js';
import { StreamFramer, StreamFramingError } from './stream-framer.js';

export interface StreamLimits {
  readonly connections: number;
  /** From one address. */
  readonly connectionsPerSource: number;
  readonly connectTimeoutMs: number;
  /** A connection on which nothing comes for so long is closed. */
  readonly idleTimeoutMs: number;
  /** Within so long a message that has begun must be complete. */
  readonly messageTimeoutMs: number;
  /** Of what waits to be sent; a peer that does not read is cut off. */
  readonly unsentBytes: number;
}

export const STREAM_LIMITS: StreamLimits = {
  connections: 2_000,
  connectionsPerSource: 50,
  connectTimeoutMs: 4_000,
  idleTimeoutMs: 10 * 60_000,
  messageTimeoutMs: 15_000,
  unsentBytes: 1024 * 1024,
};

/** What an ended connection has left until it is cut. */
const LINGER_MS = 1_000;

/** Key, certificate and the authorities peers are checked against; `ca` undefined means the system's. */
export interface SipTlsOptions {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  readonly ca?: string | Buffer | (string | Buffer)[];
  /** False accepts any certificate of a peer; for tests and trunks inside an operator's own network. */
  readonly rejectUnauthorized?: boolean;
}

/** SIP over TCP and TLS. A connection is used both ways, independent of which side opened it. */
export class StreamTransport implements SipTransport {
  private readonly connections = new Map<string, Socket>();
  private readonly perSource = new Map<string, number>();
  private readonly opening = new Map<string, Promise<Socket>>();
  /** When something last came, by `performance.now()`. */
  private readonly heardAtMs = new WeakMap<Socket, number>();
  private tls: SipTlsOptions | null;

  private constructor(
    readonly protocol: 'tcp' | 'tls',
    private readonly server: Server,
    private readonly receive: SipReceiver,
    private readonly limits: StreamLimits,
    tls: SipTlsOptions | null,
  ) {
    this.tls = tls;
    server.on(protocol === 'tls' ? 'secureConnection' : 'connection', (socket: Socket) =>
      this.accept(socket),
    );
    server.on('error', () => {});
    // A failed handshake is the peer's matter; the socket is closed already.
    server.on('tlsClientError', () => {});
  }

  /** Rejects with the system's error when the address is taken. */
  static async listen(
    host: string,
    port: number,
    receive: SipReceiver,
    tls: SipTlsOptions | null = null,
    limits: StreamLimits = STREAM_LIMITS,
  ): Promise<StreamTransport> {
    const options: TlsOptions = {
      ...tls,
      handshakeTimeout: limits.connectTimeoutMs,
      rejectUnauthorized: false,
    };
    const server = tls ? createTlsServer(options) : createServer();
    server.maxConnections = limits.connections;
    server.listen(port, host);
    await once(server, 'listening');
    return new StreamTransport(tls ? 'tls' : 'tcp', server, receive, limits, tls);
  }

  /** Shown and checked on the connections that are made from now on; those that stand go on. */
  useCertificate(tls: SipTlsOptions): void {
    if (this.server instanceof TlsServer) this.server.setSecureContext({ ...tls });
    this.tls = { ...this.tls, ...tls };
  }

  get localAddress(): string {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.address : '';
  }

  get localPort(): number {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async send(bytes: Buffer, to: SipEndpoint): Promise<void> {
    const known = this.connections.get(keyOf(to));
    const socket = known?.writable ? known : await this.open(to);
    if (this.isStuck(socket)) throw new SipTransportError(to);
    await new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) =>
        error ? reject(new SipTransportError(to, { cause: error })) : resolve(),
      );
    });
  }

  unanswered(to: SipEndpoint, silentMs: number): void {
    const socket = this.connections.get(keyOf(to));
    // First what has come already is read, by a process that stood still itself.
    setImmediate(() => {
      const heardAtMs = (socket && this.heardAtMs.get(socket)) ?? Infinity;
      if (performance.now() - heardAtMs >= silentMs) socket?.destroy();
    });
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.connections.values()) socket.destroy();
    for (const opening of this.opening.values())
      void opening.then((socket) => socket.destroy()).catch(() => {});
    await closed;
  }

  /** Requests to the same peer that come while the connection is being made wait for that one. */
  private open(to: SipEndpoint): Promise<Socket> {
    const key = keyOf(to);
    const existing = this.opening.get(key);
    if (existing) return existing;
    const opening = this.connect(to).finally(() => this.opening.delete(key));
    this.opening.set(key, opening);
    return opening;
  }

  private async connect(to: SipEndpoint): Promise<Socket> {
    const address = { host: to.address, port: to.port };
    const servername = to.serverName && isIP(to.serverName) === 0 ? to.serverName : undefined;
    const socket =
      this.protocol === 'tls' ? connectTls({ ...this.tls, ...address, servername }) : connectTcp(address);
    const late = setTimeout(
      () => socket.destroy(new Error('connecting took too long')),
      this.limits.connectTimeoutMs,
    );
    try {
      await once(socket, this.protocol === 'tls' ? 'secureConnect' : 'connect');
    } catch (error) {
      socket.destroy();
      throw new SipTransportError(to, { cause: error });
    } finally {
      clearTimeout(late);
    }
    this.adopt(socket, to);
    return socket;
  }

  private accept(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const count = this.perSource.get(address) ?? 0;
    if (count >= this.limits.connectionsPerSource || this.connections.size >= this.limits.connections) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    this.perSource.set(address, count + 1);
    socket.once('close', () => this.forget(address));
    this.adopt(socket, { protocol: this.protocol, address, port: socket.remotePort ?? 0 });
  }

  private forget(address: string): void {
    const left = (this.perSource.get(address) ?? 1) - 1;
    if (left > 0) this.perSource.set(address, left);
    else this.perSource.delete(address);
  }

  /** Cuts a peer off that lets too much wait. */
  private isStuck(socket: Socket): boolean {
    const isStuck = socket.writableLength > this.limits.unsentBytes;
    if (isStuck) socket.destroy();
    return isStuck;
  }

  private closeAfterAnswer(socket: Socket, peer: SipEndpoint, { head, status }: StreamFramingError): void {
    this.receive(head, peer, status);
    endGently(socket);
  }

  private adopt(socket: Socket, peer: SipEndpoint): void {
    const key = keyOf(peer);
    const framer = new StreamFramer(() => {
      if (!this.isStuck(socket)) socket.write('\r\n');
    });
    this.heardAtMs.set(socket, performance.now());
    let late: NodeJS.Timeout | null = null;
    this.connections.set(key, socket);
    socket.setNoDelay(true);
    socket.setTimeout(this.limits.idleTimeoutMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      if (late) clearTimeout(late);
      if (this.connections.get(key) === socket) this.connections.delete(key);
    });
    socket.on('data', (chunk: Buffer) => {
      this.heardAtMs.set(socket, performance.now());
      try {
        for (const message of framer.push(chunk)) this.receive(message, peer);
      } catch (error) {
        if (error instanceof StreamFramingError) this.closeAfterAnswer(socket, peer, error);
        else socket.destroy();
        return;
      }
      if (framer.pendingBytes === 0 && late) {
        clearTimeout(late);
        late = null;
      } else if (framer.pendingBytes > 0) {
        late ??= setTimeout(() => socket.destroy(), this.limits.messageTimeoutMs);
      }
    });
  }
}

/** Lets the peer read the answer: a socket that is destroyed while data waits in it takes back what it has sent. */
function endGently(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.resume();
  socket.end();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

function keyOf(endpoint: SipEndpoint): string {
  return `${endpoint.address}|${endpoint.port}`;
}

/** A dual-stack socket writes IPv4 peers as mapped addresses. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
