import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { Deadline } from '../time/deadline.js';
import { EgressError, toEgressError } from './egress-error.js';
import { assertCidrs } from './forbidden-address.js';
import { guardedConnector } from './guarded-connector.js';
import { type LookupAll, systemLookup } from './host-lookup.js';
import { firstHop, nextHop, type EgressMethod, type Hop } from './hop.js';
import { boundedChunks, readBounded, textOf, type BodyLimit, type BoundedBody } from './response-body.js';

export interface EgressClientOptions {
  /** Forbidden ranges the operator permits all the same (`EGRESS_ALLOW_CIDRS`), never filled by a tenant. */
  allowCidrs: readonly string[];
  /** Every address of a host name; `systemLookup` by default. */
  lookup?: LookupAll;
  /** PEM of the certificate authorities to trust instead of Node's own list. */
  ca?: string;
}

export interface EgressRequest {
  method: EgressMethod;
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Bound of the whole exchange: name look-up, connections, redirects and the last byte of the body. */
  timeoutMs: number;
  /** Bound of the response body, counted after decompression. */
  maxBytes: number;
  /** What a larger body does; 'fail' (code 'too-large') by default. */
  whenTooLarge?: 'truncate' | 'fail';
  /** Redirects followed, each checked like the first URL. With 0, the default, the 3xx itself is the answer. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

interface Received {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: BoundedBody;
  finalUrl: string;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Readable;
}

/** Room for the long cookies and policies of real sites; the headers of one response, names and values. */
const MAX_HEADER_BYTES = 32 * 1024;

/** An answer whose body is still coming. */
export interface EgressStream {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body, decompressed. It fails with `EgressError` and nothing else: when it is longer than `maxBytes`, when the time
   * of the exchange is over, or when the connection is lost. To be read to its end or left (`break`, `return`).
   */
  readonly body: AsyncGenerator<Buffer, void, undefined>;
}

const BODYLESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

export class EgressResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean;
  readonly finalUrl: string;

  constructor(
    private readonly received: Received,
    readonly durationMs: number,
  ) {
    this.status = received.status;
    this.headers = received.headers;
    this.bytes = received.body.bytes;
    this.truncated = received.body.truncated;
    this.finalUrl = received.finalUrl;
  }

  /** The body as text, in the charset that its Content-Type, the document itself or its bytes name. */
  get bodyText(): string {
    return textOf(this.received.body, this.headers['content-type']);
  }
}

/**
 * The one way out: every request to a URL that a customer, a model or a document has chosen goes through here.
 * It reaches public addresses only (and what the operator allows), and is bounded in time and bytes.
 */
export class EgressClient {
  private readonly agent: Agent;

  /** Throws when one of `allowCidrs` is not a CIDR, so that a typing error stops the start and opens nothing. */
  constructor({ allowCidrs, lookup = systemLookup, ca }: EgressClientOptions) {
    assertCidrs(allowCidrs);
    this.agent = new Agent({
      connect: guardedConnector({ allowCidrs: [...allowCidrs], lookup, ca }),
      maxHeaderSize: MAX_HEADER_BYTES,
      // A server may not hold our sockets for as long as its Keep-Alive header pleases.
      keepAliveMaxTimeout: 10_000,
      // These count silence, which a drip never is; the deadline of each request bounds all.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Any status is an answer. Rejects with `EgressError` and with nothing else. */
  async request(request: EgressRequest): Promise<EgressResponse> {
    const startedAt = performance.now();
    const deadline = deadlineOf(request);
    try {
      // undici looks at the signal only once it is connected, so the wait itself ends with the deadline.
      const received = await deadline.race(this.receive(request, deadline.signal));
      return new EgressResponse(received, performance.now() - startedAt);
    } catch (error) {
      throw toEgressError(error);
    } finally {
      deadline.close();
    }
  }

  /**
   * The same for an answer that is read while it comes. Time and bytes are bounded as for `request`; what is longer fails.
   *
   * @throws EgressError
   */
  async open(request: Omit<EgressRequest, 'whenTooLarge'>): Promise<EgressStream> {
    const deadline = deadlineOf(request);
    try {
      const { answer } = await deadline.race(this.follow(request, deadline.signal));
      const { status, headers } = answer;
      return { status, headers, body: streamed(answer, request.maxBytes, deadline) };
    } catch (error) {
      deadline.close();
      throw toEgressError(error);
    }
  }

  /** Ends every connection; requests still running fail with code 'aborted'. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async receive(request: EgressRequest, signal: AbortSignal): Promise<Received> {
    const { maxBytes, whenTooLarge = 'fail' } = request;
    const { hop, answer } = await this.follow(request, signal);
    const body = await bodyOf(hop, answer, { maxBytes, whenTooLarge });
    return { status: answer.status, headers: answer.headers, body, finalUrl: hop.url.href };
  }

  /** The answer that is no redirect, or the first one when none is to be followed. */
  private async follow(request: EgressRequest, signal: AbortSignal): Promise<{ hop: Hop; answer: Answer }> {
    const { maxRedirects = 0 } = request;
    let hop = firstHop(request);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.send(hop, signal);
      const next = maxRedirects > 0 ? redirectOf(hop, answer) : null;
      if (next === null) return { hop, answer };
      answer.body.destroy();
      if (redirects === maxRedirects) {
        throw new EgressError('too-many-redirects', `The server redirected more than ${maxRedirects} times.`);
      }
      hop = next;
    }
  }

  private async send(hop: Hop, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { statusCode, headers, body } = await this.agent.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: [...hop.headers, ['accept-encoding', 'gzip, deflate, br'] as const].flat(),
      body: hop.body,
      signal,
    });
    // A body destroyed early emits an error, which without a listener would end the process.
    body.on('error', () => {});
    return { status: statusCode, headers: joinHeaders(headers), body };
  }
}

function deadlineOf({
  timeoutMs,
  signal,
}: Pick<EgressRequest, 'timeoutMs' | 'signal'>): Deadline<EgressError> {
  return new Deadline(timeoutMs, signal, (reason) =>
    reason === 'timeout'
      ? new EgressError('timeout', `The server did not answer within ${timeoutMs / 1000} s.`)
      : new EgressError('aborted', 'The request was cancelled.'),
  );
}

async function* streamed(
  answer: Answer,
  maxBytes: number,
  deadline: Deadline<EgressError>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    const hasBody = !BODYLESS_STATUSES.has(answer.status);
    if (hasBody) yield* boundedChunks(answer.body, answer.headers['content-encoding'], maxBytes);
  } catch (error) {
    throw deadline.error ?? toEgressError(error);
  } finally {
    answer.body.destroy();
    deadline.close();
  }
}

function redirectOf(hop: Hop, answer: Answer): Hop | null {
  try {
    return nextHop(hop, answer.status, answer.headers.location);
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

async function bodyOf(hop: Hop, answer: Answer, limit: BodyLimit): Promise<BoundedBody> {
  const hasBody = hop.method !== 'HEAD' && !BODYLESS_STATUSES.has(answer.status);
  try {
    return await readBounded(answer.body, hasBody ? answer.headers['content-encoding'] : undefined, limit);
  } finally {
    answer.body.destroy();
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
