import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * How a provider fails: `reset` the connection is broken before any answer, `leave` it is closed once it is open, `refuse` 401, `limit` 429, `down` 503, `break` in
 * the middle of a sentence, `silence` nothing is said for ever, `garbage` something else is said, `slow` it takes long, `error` it
 * says that it could not do it, `failed` it begins and says so then, `expire` the session is over,
 * `shapes` JSON that is none of its messages, `noise` bytes, `endless` it does not stop, `wave` sound of another format, `unpaid` 402.
 */
export type Failing =
  | 'never'
  | 'reset'
  | 'leave'
  | 'refuse'
  | 'limit'
  | 'down'
  | 'break'
  | 'silence'
  | 'garbage'
  | 'slow'
  | 'error'
  | 'failed'
  | 'expire'
  | 'shapes'
  | 'noise'
  | 'endless'
  | 'wave'
  | 'unpaid';

export const REFUSALS: Partial<Record<Failing, readonly [status: number, words: string]>> = {
  refuse: [401, 'Unauthorized'],
  unpaid: [402, 'Payment Required'],
  limit: [429, 'Too Many Requests'],
  down: [503, 'Service Unavailable'],
};

const NOISE_BYTES = 1_001;
const SHAPES: readonly unknown[] = [null, [], 7, 'text', {}, { type: null }, { type: {} }, { error: null }];

/** Before anything that a slow provider says. */
export const SLOW_MS = 2_000;

/** A WebSocket server on loopback that speaks like a provider, or fails like one. */
export abstract class VendorFake {
  failing: Failing = 'never';
  /** How one connection fails, where a test wants it to depend on what is asked for. */
  failingOf: (request: IncomingMessage) => Failing = () => this.failing;
  /** The keys that it takes; null: any. */
  keys: ReadonlySet<string> | null = null;
  /** Every connection's address and headers. */
  readonly connections: IncomingMessage[] = [];
  /** Keys that it was asked about without a WebSocket. */
  readonly keysAsked: string[] = [];
  /** Where it says whether it takes a key. */
  protected readonly keyPath: string = '';
  private readonly requests = new WeakMap<WebSocket, IncomingMessage>();
  private readonly http: Server = createServer((request, response) => this.answer(request, response));
  private readonly sockets = new WebSocketServer({ noServer: true });

  async start(): Promise<void> {
    this.http.on('upgrade', (request, socket, head) => {
      this.connections.push(request);
      const failing = this.failingOf(request);
      if (failing === 'reset') return void socket.destroy();
      const refusal = REFUSALS[this.takesKeyOf(request) ? failing : 'refuse'];
      if (refusal) {
        socket.end(`HTTP/1.1 ${refusal.join(' ')}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      this.sockets.handleUpgrade(request, socket, head, (client) => this.accept(client, request));
    });
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** How many are connected. */
  get open(): number {
    return this.sockets.clients.size;
  }

  /** Ends every connection, or those of some requests, as a provider that goes down does. */
  breakAll(whose: (request: IncomingMessage) => boolean = () => true): void {
    for (const client of this.sockets.clients) if (whose(this.requestOf(client))) client.terminate();
  }

  /** What those who are connected asked for. */
  get standing(): IncomingMessage[] {
    return [...this.sockets.clients].map((client) => this.requestOf(client));
  }

  clientsOf(whose: (request: IncomingMessage) => boolean): WebSocket[] {
    return [...this.sockets.clients].filter((client) => whose(this.requestOf(client)));
  }

  async stop(): Promise<void> {
    this.breakAll();
    this.sockets.close();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** What is asked for without a WebSocket. */
  protected answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url !== this.keyPath) return void response.writeHead(404).end();
    this.keysAsked.push(keyIn(request));
    const isTaken = this.takesKeyOf(request);
    response.writeHead(isTaken ? 200 : 401, { 'Content-Type': 'application/json' }).end('{}');
  }

  protected takesKeyOf(request: IncomingMessage): boolean {
    return this.keys?.has(keyIn(request)) ?? true;
  }

  protected requestOf(client: WebSocket): IncomingMessage {
    return this.requests.get(client)!;
  }

  /** As it is now, also for a connection that was made before. */
  protected failingNow(client: WebSocket): Failing {
    return this.failingOf(this.requestOf(client));
  }

  private accept(client: WebSocket, request: IncomingMessage): void {
    this.requests.set(client, request);
    if (this.failingNow(client) === 'leave') return client.close();
    client.on('message', (data: Buffer, isBinary: boolean) => {
      const failing = this.failingNow(client);
      if (failing === 'silence') return;
      if (failing === 'garbage') {
        client.send('<html>502 Bad Gateway</html>');
        client.send('{"type":"unknown.message"}');
        return;
      }
      if (failing === 'noise') return client.send(randomBytes(NOISE_BYTES));
      const message = this.parse(data, isBinary);
      if (failing === 'shapes')
        for (const shape of [...SHAPES, ...this.shapesFor(message)]) client.send(this.encode(shape));
      else this.receive(client, message);
    });
    if (this.failingNow(client) !== 'silence') this.greet(client);
  }

  protected greet(_client: WebSocket): void {}

  /** A message of a client, as `receive` takes it. */
  protected parse(data: Buffer, isBinary: boolean): unknown {
    return isBinary ? data : JSON.parse(data.toString());
  }

  protected encode(message: unknown): string {
    return JSON.stringify(message);
  }

  /** Almost its own messages: some of what they must hold is not there, or is something else. */
  protected shapesFor(_message: unknown): readonly unknown[] {
    return [];
  }

  /** A binary message as a Buffer, a text one parsed. */
  protected abstract receive(client: WebSocket, message: any): void;

  protected send(client: WebSocket, message: object): void {
    const tell = () => {
      if (client.readyState === client.OPEN) client.send(this.encode(message));
    };
    if (this.failingNow(client) === 'slow') setTimeout(tell, SLOW_MS);
    else tell();
  }
}

/** The key of a request, in whichever header its vendor has it. */
export function keyIn({ headers }: IncomingMessage): string {
  const own = headers['xi-api-key'] ?? headers['x-api-key'] ?? headers['ocp-apim-subscription-key'];
  return String(own ?? headers.authorization?.replace(/^\w+ /, '') ?? '');
}

/** A tone that a test can tell from silence. Mono PCM16, little endian. */
export function tone(seconds: number, rateHz = 24_000, hz = 440): Buffer {
  const samples = Int16Array.from({ length: Math.round(seconds * rateHz) }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * index) / rateHz)),
  );
  return Buffer.from(samples.buffer);
}
