import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { EgressClient, EgressStream } from '../../common/egress/egress-client.js';
import { EgressError, type EgressErrorCode } from '../../common/egress/egress-error.js';
import { withExactNumbers } from '../../common/text/exact-json.js';

export interface GuardedFetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of each answer, a stream of events included. */
  readonly maxBytes: number;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What the protocol reads of an answer's headers. */
const HEADERS_READ = ['content-type', 'location', 'mcp-session-id'];
/** Tells the errors that are put at the end of broken streams from those of servers, which cannot know it. */
const STREAM_FAULT = randomUUID();

/**
 * The `fetch` of the SDK's transport. Each request goes through the guarded client, redirects one by one, as the transport
 * follows those within the server's origin. Two things never leave: the long stream of events that a server could talk on for
 * ever (GET), and answers to what a server asks of us.
 */
export function guardedFetch(egress: EgressClient, options: GuardedFetchOptions): Fetch {
  return async (url, init = {}) => {
    const { method = 'GET', body } = init;
    if (method !== 'POST') return new Response(null, { status: 405 });
    const json = typeof body === 'string' ? body : '';
    const { isAnswer, id } = messageOf(json);
    if (isAnswer) return new Response(null, { status: 202 });
    const answer = await egress.open({
      method,
      url: String(url),
      headers: { ...options.headers, ...Object.fromEntries(new Headers(init.headers)) },
      body: json,
      timeoutMs: options.timeoutMs,
      maxBytes: options.maxBytes,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    return toResponse(answer, id);
  };
}

function toResponse(
  { status, headers, body }: Awaited<ReturnType<EgressClient['open']>>,
  id: unknown,
): Response {
  if (status < 200 || status > 599) {
    discard(body);
    throw new EgressError('protocol', 'The answer of the server is not valid HTTP.');
  }
  const kept = HEADERS_READ.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const isEmpty = [202, 204, 205, 304].includes(status);
  if (isEmpty) discard(body);
  const isStream = (headers['content-type'] ?? '').includes('text/event-stream');
  const content = isStream ? withEnd(exactEvents(body), id) : exactAnswer(body);
  return new Response(isEmpty ? null : ReadableStream.from(content), { status, headers: kept });
}

/**
 * Frees the connection of an answer that is not read. The generator is started first: one that never started ends
 * without its `finally`. The connection would then stay open until the request times out.
 */
function discard(body: EgressStream['body']): void {
  void body.next().then(
    () => body.return(),
    () => undefined,
  );
}

/** The SDK reads an answer by `JSON.parse`, which would change long numbers. */
async function* exactAnswer(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString();
  const exact = withExactNumbers(text);
  yield exact === text ? bytes : Buffer.from(exact);
}

/** The same for events, each in a line of its own. */
async function* exactEvents(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  for await (const piece of body) {
    const text = decoder.write(piece);
    const end = text.lastIndexOf('\n');
    begun.push(text.slice(0, end + 1));
    if (end === -1) begun.push(text);
    else {
      const lines = begun.join('').split('\n');
      begun = [text.slice(end + 1)];
      yield Buffer.from(lines.map(exactLine).join('\n'));
    }
  }
  yield Buffer.from(exactLine(begun.join('') + decoder.end()));
}

function exactLine(line: string): string {
  const [field = ''] = /^data: ?/.exec(line) ?? [];
  return field === '' ? line : field + withExactNumbers(line.slice(field.length));
}

/**
 * A stream of events that ends with an error event where the original stream broke. If the request was answered
 * before, the error has no effect. Otherwise the caller fails at once instead of waiting for its timeout.
 */
async function* withEnd(body: AsyncIterable<Uint8Array>, id: unknown): AsyncGenerator<Uint8Array> {
  let fault = new EgressError('connect', 'The server ended its answer too early.');
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    fault = error;
  }
  if (id === undefined) return;
  const { code, message } = fault;
  const end = { jsonrpc: '2.0', id, error: { code: -32_000, message, data: { [STREAM_FAULT]: code } } };
  yield Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify(end)}\n\n`);
}

/**
 * The error code that the egress client reported for a broken stream.
 *
 * @param data of a JSON-RPC error
 * @returns null for an error that is the server's own
 */
export function streamFaultOf(data: unknown): EgressErrorCode | null {
  if (typeof data !== 'object' || data === null) return null;
  return (data as Readonly<Record<string, EgressErrorCode | undefined>>)[STREAM_FAULT] ?? null;
}

/** Of the SDK's own making: one message, or several of one kind. */
function messageOf(json: string): { isAnswer: boolean; id: unknown } {
  const parsed: unknown = JSON.parse(json);
  const [first] = (Array.isArray(parsed) ? parsed : [parsed]) as { method?: unknown; id?: unknown }[];
  return { isAnswer: first?.method === undefined, id: first?.id };
}
