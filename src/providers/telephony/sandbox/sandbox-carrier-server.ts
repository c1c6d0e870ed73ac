import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { SystemClock } from '../../../common/time/clock.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { SandboxCallCarrier, type SandboxCallCarrierOptions } from './sandbox-call-carrier.js';
import { dialLog } from './sandbox-dial-log.js';
import { FileJournal } from './sandbox-journal.js';
import { wire } from './sandbox-wire.js';

export interface SandboxCarrierServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The append-only log of dials; read again at start, so that a restarted server still knows its keys and calls. */
  readonly journalPath: string;
  readonly speed: number;
  readonly persona?: SandboxCallCarrierOptions['persona'];
}

const MAX_BODY_BYTES = 64 * 1024;
/** Longer than any client keeps an idle connection, so that no request meets a closing one. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The sandbox carrier as a process of its own, for several workers and for tests that kill them: it sees what really was
 * dialled. On loopback only, because it knows no secrets.
 *
 * `GET /log` tells of all dials (see SandboxDialLog); `POST /inbound {from, to}` simulates an incoming call.
 */
export class SandboxCarrierServer {
  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly carrier: SandboxCallCarrier,
    readonly url: string,
  ) {}

  static async start(options: SandboxCarrierServerOptions): Promise<SandboxCarrierServer> {
    const { port, journalPath, speed, persona } = options;
    const carrier = new SandboxCallCarrier({
      clock: new SystemClock(speed),
      journal: new FileJournal(journalPath),
      persona,
    });
    carrier.resumeAll();
    const routes = new Routes(carrier, journalPath);
    const server = createServer((request, response) => void answer(routes, request, response));
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    await new Promise<void>((resolve, reject) => {
      // It stays: an error once it listens is one of a connection, and must not end the process.
      server.on('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    const { port: taken } = server.address() as AddressInfo;
    return new SandboxCarrierServer(server, carrier, `http://127.0.0.1:${taken}`);
  }

  async stop(): Promise<void> {
    await this.carrier.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What a route answers: one object, or a stream of one object per line. */
type Reply = object | AsyncIterable<object>;

class Routes {
  constructor(
    private readonly carrier: SandboxCallCarrier,
    private readonly journalPath: string,
  ) {}

  /** Undefined when there is no such route. */
  reply(method: string, url: URL, body: unknown, signal: AbortSignal): Promise<Reply> | undefined {
    const [, resource, id, action] = url.pathname.split('/').map(decodeURIComponent);
    if (method === 'GET' && resource === 'log') return this.log();
    if (method === 'GET' && resource === 'inbound')
      return Promise.resolve(this.carrier.inboundOffers(signal));
    if (method === 'POST' && resource === 'inbound') return this.callIn(body);
    if (resource !== 'calls') return undefined;
    if (id === undefined) return method === 'POST' ? this.place(body) : this.find(url);
    if (method === 'GET' && action === 'events') return Promise.resolve(this.carrier.watch(id, signal));
    return method === 'POST' ? this.act(id, action, body) : undefined;
  }

  private async log(): Promise<Reply> {
    return dialLog(new FileJournal(this.journalPath).readNew());
  }

  private async callIn(body: unknown): Promise<Reply> {
    const { from, to } = wire.callIn.parse(body);
    return { callId: this.carrier.callIn(from, to) };
  }

  private async place(body: unknown): Promise<Reply> {
    const { speed, ...request } = wire.place.parse(body);
    if (speed !== this.carrier.capabilities.speed) {
      throw new CallCarrierError('rejected', 'no', {
        cause: `The carrier runs at SANDBOX_SPEED=${this.carrier.capabilities.speed}, the caller at ${speed}.`,
      });
    }
    return this.carrier.place(request);
  }

  private find(url: URL): Promise<Reply> {
    return this.carrier.findCall(url.searchParams.get('key') ?? '');
  }

  private act(id: string, action: string | undefined, body: unknown): Promise<Reply> | undefined {
    switch (action) {
      case 'say':
        return this.carrier.media.text.say(id, wire.say.parse(body).text);
      case 'hang-up':
        return this.carrier.hangUp(id).then(done);
      case 'transfer':
        return this.carrier.transfer(id, wire.transfer.parse(body)).then(done);
      case 'digits':
        return this.carrier.sendDigits(id, wire.digits.parse(body).digits).then(done);
      case 'accept':
        return this.carrier.accept(id).then(done);
      case 'forward':
        return this.carrier.forward(id, wire.forward.parse(body)).then(done);
      case 'reject':
        return this.carrier.reject(id, wire.reject.parse(body).reason).then(done);
      case undefined:
      default:
        return undefined;
    }
  }
}

function done(): object {
  return {};
}

async function answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const body = await readBody(request);
    const reply = await routes.reply(request.method ?? 'GET', url, body, gone.signal);
    if (!reply) send(response, 404, { error: 'There is no such route.' });
    else if (Symbol.asyncIterator in reply) await stream(response, reply);
    else send(response, 200, reply);
  } catch (error) {
    sendError(response, error);
  }
}

async function stream(response: ServerResponse, events: AsyncIterable<object>): Promise<void> {
  for await (const event of events) {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write(`${JSON.stringify(event)}\n`);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new CallCarrierError('rejected', 'no');
    chunks.push(chunk);
  }
  return bytes === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (error instanceof CallCarrierError) {
    const { code, sent, cause } = error;
    send(response, 409, { code, sent, ...(typeof cause === 'string' ? { detail: cause } : {}) });
  } else if (error instanceof z.ZodError || error instanceof SyntaxError)
    send(response, 400, { error: error.message });
  else send(response, 500, { error: String(error) });
}
