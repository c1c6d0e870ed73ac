import type { ClientOptions } from 'openai';
import { Agent, type buildConnector, type Dispatcher, request } from 'undici';

/** A response whose body is not read yet. */
export type ProviderAnswer = Dispatcher.ResponseData;
type SdkFetch = NonNullable<ClientOptions['fetch']>;

const KEEP_ALIVE_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Node's words for it, and undici's. */
const LOST_CONNECTION: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** About 50,000 streamed tokens with the JSON around them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Of the headers of one answer, names and values. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Connections to providers that outlive a turn, so that only the first pays for TCP and TLS. */
export class KeepAliveFetch {
  private readonly agent: Agent;

  /**
   * @param guard dials where a customer has chosen the address; left out where it is the operator's own configuration,
   *   which may name any
   */
  constructor(guard?: buildConnector.connector) {
    this.agent = new Agent({
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: guard ?? { timeout: CONNECT_TIMEOUT_MS },
      // No limit on the time to answer: every turn brings its own deadline, and models may think for minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MAX_BODY_BYTES,
      // A server that a customer has chosen may not hold our sockets for as long as its Keep-Alive header pleases.
      ...(guard && { keepAliveMaxTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES }),
    });
  }

  /**
   * Posts a text. A redirect is returned, not followed: the prompt and the key go to the configured server alone.
   *
   * @throws undici's errors; the signal's reason when it fires
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    return onceMoreIfLost(() =>
      request(url, { method: 'POST', headers: { ...headers }, body, signal, dispatcher: this.agent }),
    );
  }

  /** Asks for what may be asked again. @throws undici's errors; the signal's reason when it fires */
  get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ProviderAnswer> {
    return onceMoreIfLost(() =>
      request(url, { method: 'GET', headers: { ...headers }, signal, dispatcher: this.agent }),
    );
  }

  /** For the SDK, by undici's plain request as well: the web streams of `fetch` take much more processor time. */
  readonly fetch: SdkFetch = async (url, init) => {
    // The SDK passes a string and plain options.
    const { method = 'GET', headers, body, signal } = init ?? {};
    const sent = new Headers(headers);
    const bytes = body instanceof FormData ? await encoded(body, sent) : ((body ?? null) as string | null);
    const answer = await onceMoreIfLost(() =>
      request(url as string, {
        method: method.toUpperCase(),
        headers: Object.fromEntries(sent),
        body: bytes,
        signal: signal ?? null,
        dispatcher: this.agent,
      }),
    );
    const response: unknown = new SdkResponse(url as string, answer);
    return response as Response;
  };

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

/**
 * A server may close a kept connection just as a request goes out on it (RFC 9112, 9.3.1). Then no part of an answer
 * has come, and the request is sent once more on another connection. Asking a model twice changes nothing.
 */
async function onceMoreIfLost<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (LOST_CONNECTION.has((error as { code?: unknown }).code)) return send();
    throw error;
  }
}

/** A form with its files, as an utterance is sent; its boundary goes into the headers. undici knows only forms of its own. */
async function encoded(form: FormData, headers: Headers): Promise<Buffer> {
  const whole = new Response(form);
  headers.set('content-type', whole.headers.get('content-type') ?? 'multipart/form-data');
  return Buffer.from(await whole.arrayBuffer());
}

export function headersOf({ headers }: ProviderAnswer): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result.set(name, String(value));
  }
  return result;
}

/** What the SDK reads of a response. */
class SdkResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly body: ProviderAnswer['body'];

  constructor(
    readonly url: string,
    answer: ProviderAnswer,
  ) {
    const { statusCode, body } = answer;
    this.status = statusCode;
    this.ok = statusCode >= 200 && statusCode < 300;
    this.headers = headersOf(answer);
    this.body = body;
  }

  text(): Promise<string> {
    return this.body.text();
  }

  json(): Promise<unknown> {
    return this.body.json();
  }
}
