import { Agent, request, type Dispatcher } from 'undici';
import type { Judge, Outcome } from './judge.js';

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it comes, such as the rows of a file. */
  readonly stream?: { readonly type: string; readonly chunks: AsyncIterable<Buffer> };
  readonly isPublic?: boolean;
}

/** Longer than any answer may take; the judge says what is too slow. */
const GIVE_UP_MS = 60_000;

/** A customer's program: asks, and shows every answer to the judge. */
export class Client {
  private readonly agent = new Agent({
    connections: 128,
    headersTimeout: GIVE_UP_MS,
    bodyTimeout: GIVE_UP_MS,
    connectTimeout: 10_000,
  });
  requests = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly judge: Judge | null,
  ) {}

  /** @returns the answer, whatever it is: nothing is thrown */
  async ask(method: Dispatcher.HttpMethod, path: string, call: Call = {}): Promise<Outcome> {
    const outcome = await this.send(method, path, call);
    this.requests += 1;
    this.judge?.see(outcome);
    return outcome;
  }

  /** For preparations, which must succeed. @throws otherwise */
  async must<Body>(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Body> {
    const { status, text, failure } = await this.send(method, path, { body });
    if (status === null || status >= 300) throw new Error(`${method} ${path}: ${status ?? failure} ${text}`);
    return JSON.parse(text) as Body;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async send(method: Dispatcher.HttpMethod, path: string, call: Call): Promise<Outcome> {
    const startedAt = performance.now();
    const seen: { -readonly [Field in keyof Outcome]: Outcome[Field] } = {
      method,
      path,
      status: null,
      contentType: '',
      retryAfter: null,
      text: '',
      failure: null,
      tookMs: 0,
    };
    try {
      const { statusCode, headers, body } = await request(`${this.url}${path}`, {
        dispatcher: this.agent,
        method,
        headers: {
          ...(call.isPublic ? {} : { authorization: `Bearer ${this.token}` }),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.stream ? { 'content-type': call.stream.type } : {}),
          ...call.headers,
        },
        body: call.stream ? (call.stream.chunks as never) : bodyOf(call.body),
      });
      seen.status = statusCode;
      seen.contentType = String(headers['content-type'] ?? '');
      seen.retryAfter = headers['retry-after'] === undefined ? null : String(headers['retry-after']);
      seen.text = await body.text();
    } catch (error) {
      seen.failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    seen.tookMs = performance.now() - startedAt;
    return seen;
  }
}

function bodyOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}
