import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { z } from 'zod';
import { parseRetryAfterMs } from '../../../common/http/retry-after.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import { CallCarrier } from '../call-carrier.js';
import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import type { CallEvent } from '../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../call/call-placing.js';
import type { ForwardCall, InboundOffer, RejectReason } from '../call/incoming-calls.js';
import type { TextLine, TransferCall } from '../call/call-line.js';
import { CallCarrierError, type SentState } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';
import { sandboxCapabilities } from './sandbox-capabilities.js';
import { wire } from './sandbox-wire.js';

const REQUEST_TIMEOUT_MS = 15_000;
/** Waits between attempts to watch again; afterwards the carrier counts as gone. */
const RECONNECT_AFTER_MS = [50, 200, 1_000, 3_000, 5_000];
/** Errors of a connection that never was. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The sandbox carrier in a process of its own (SandboxCarrierServer), seen from one that dials. */
export class SandboxCarrierClient extends CallCarrier {
  readonly name = 'sandbox';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: { readonly text: TextLine } = {
    text: {
      say: (callId, text) => this.post(`/calls/${encodeURIComponent(callId)}/say`, { text }, wire.said),
    },
  };
  private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5_000 } });
  private readonly closing = new AbortController();

  /**
   * @param baseUrl without a slash at the end
   * @param speed must be the server's own
   */
  constructor(
    private readonly baseUrl: string,
    private readonly speed: number,
  ) {
    super();
    this.capabilities = sandboxCapabilities(speed);
  }

  place(call: PlaceCall): Promise<PlacedCall> {
    return this.post('/calls', { ...call, speed: this.speed }, wire.placed);
  }

  findCall(key: string): Promise<CallLookup> {
    return this.exchange('GET', `/calls?key=${encodeURIComponent(key)}`, null, wire.lookup);
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const path = `/calls/${encodeURIComponent(callId)}/events`;
    return this.follow(path, wire.event, ({ type }) => type === 'ended', signal);
  }

  async hangUp(callId: string): Promise<void> {
    await this.act(callId, 'hang-up', {});
  }

  async transfer(callId: string, transfer: TransferCall): Promise<void> {
    await this.act(callId, 'transfer', transfer);
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    await this.act(callId, 'digits', { digits });
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.follow('/inbound', wire.offer, () => false, signal);
  }

  async accept(callId: string): Promise<void> {
    await this.act(callId, 'accept', {});
  }

  override async forward(callId: string, forward: ForwardCall): Promise<void> {
    await this.act(callId, 'forward', forward);
  }

  async reject(callId: string, reason: RejectReason): Promise<void> {
    await this.act(callId, 'reject', { reason });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.agent.destroy();
  }

  private async act(callId: string, action: string, body: object): Promise<void> {
    await this.post(`/calls/${encodeURIComponent(callId)}/${action}`, body, wire.nothing);
  }

  private post<Schema extends z.ZodType>(
    path: string,
    body: object,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    return this.exchange('POST', path, body, schema);
  }

  private async exchange<Schema extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    body: object | null,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    try {
      const response = await request(this.baseUrl + path, {
        method,
        dispatcher: this.agent,
        headers: { 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.any([this.closing.signal, timeoutSignal(REQUEST_TIMEOUT_MS)]),
      });
      const { statusCode } = response;
      const answer = await readJson(response.body);
      if (statusCode === 200) return schema.parse(answer);
      throw toRejection(answer) ?? turnedAway(statusCode, response.headers['retry-after'], answer);
    } catch (error) {
      throw toCarrierError(error);
    }
  }

  /** Reads a stream to its last event, connecting again when it breaks. */
  private follow<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    isLast: (event: z.output<Schema>) => boolean,
    signal?: AbortSignal,
  ): AsyncIterableIterator<z.output<Schema>> {
    const left = new AbortController();
    const queue = new EventQueue<z.output<Schema>>(signal);
    queue.onClose = () => left.abort();
    const ended = AbortSignal.any([left.signal, this.closing.signal]);
    const read = async () => {
      let broken = 0;
      for (;;) {
        try {
          for await (const event of this.lines(path, schema, ended)) {
            broken = 0;
            queue.push(event);
            if (isLast(event)) return queue.end();
          }
        } catch (error) {
          if (ended.aborted) return queue.end();
          if (error instanceof CallCarrierError) return queue.fail(error);
        }
        const waitMs = RECONNECT_AFTER_MS[broken++];
        if (waitMs === undefined) return queue.fail(new CallCarrierError('unavailable', 'maybe'));
        await sleep(waitMs, undefined, { signal: ended }).catch(() => queue.end());
        if (ended.aborted) return queue.end();
      }
    };
    void read();
    return queue;
  }

  private async *lines<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Schema>> {
    const response = await request(this.baseUrl + path, { dispatcher: this.agent, signal });
    if (response.statusCode !== 200) {
      const answer = await readJson(response.body);
      throw toRejection(answer) ?? turnedAway(response.statusCode, response.headers['retry-after'], answer);
    }
    let rest = '';
    for await (const chunk of response.body.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield schema.parse(JSON.parse(line));
    }
  }
}

/** The answer of a proxy in front of the server need not be JSON. */
async function readJson(body: { text(): Promise<string> }): Promise<unknown> {
  const text = await body.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the server says when it does not do what it was asked; null when that is not the server's answer. */
function toRejection(answer: unknown): CallCarrierError | null {
  const { success, data } = wire.error.safeParse(answer);
  return success ? new CallCarrierError(data.code, data.sent, { cause: answer }) : null;
}

/** By what HTTP says: 429 and 503 come before a request is dealt with, any other status says nothing about that. */
function turnedAway(
  status: number,
  retryAfter: string | string[] | undefined,
  cause: unknown,
): CallCarrierError {
  const retryAfterMs = parseRetryAfterMs(retryAfter, new Date());
  if (status === 429) return new CallCarrierError('rate-limited', 'no', { cause, retryAfterMs });
  return new CallCarrierError('unavailable', status === 503 ? 'no' : 'maybe', { cause, retryAfterMs });
}

function toCarrierError(error: unknown): CallCarrierError {
  if (error instanceof CallCarrierError) return error;
  const isTimeout = fieldOf(error, 'name') === 'TimeoutError';
  return new CallCarrierError(isTimeout ? 'timeout' : 'unavailable', sentStateOf(error), { cause: error });
}

function sentStateOf(error: unknown): SentState {
  const code = fieldOf(error, 'code');
  if (typeof code === 'string' && NEVER_CONNECTED.has(code)) return 'no';
  // Several addresses of one name were tried.
  const errors = fieldOf(error, 'errors');
  return Array.isArray(errors) && errors.every((one) => sentStateOf(one) === 'no') ? 'no' : 'maybe';
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
