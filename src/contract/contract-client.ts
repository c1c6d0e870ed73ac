import { setTimeout as sleep } from 'node:timers/promises';
import { timeoutSignal } from '../common/time/timeout-signal.js';
import type { ContractCheck } from './contract-check.js';

/** An answer is not what the contract says; the message is a sentence for the report. */
export class ContractViolation extends Error {}

export interface ContractRequest {
  /** The status that is expected; 200 when left out. */
  readonly status?: number;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  /** Null sends none; the key of the run when left out. */
  readonly token?: string | null;
}

export type Body = Readonly<Record<string, unknown>>;

export interface ContractClientOptions {
  /** Address of the server, without `/api`. */
  readonly origin: string;
  readonly key: string;
  readonly contract: ContractCheck;
  readonly timeoutMs?: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const TIMEOUT_MS = 60_000;
/** The longest answer of a list is well below it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 65;

/** Asks a server and holds each answer against the OpenAPI document. */
export class ContractClient {
  constructor(private readonly options: ContractClientOptions) {}

  get(path: string, request: ContractRequest = {}): Promise<Body> {
    return this.send('GET', path, request);
  }

  post(path: string, request: ContractRequest = {}): Promise<Body> {
    return this.send('POST', path, request);
  }

  put(path: string, request: ContractRequest = {}): Promise<Body> {
    return this.send('PUT', path, request);
  }

  delete(path: string, request: ContractRequest = {}): Promise<Body> {
    return this.send('DELETE', path, request);
  }

  /**
   * @returns the body; an array for lists
   * @throws ContractViolation when status or shape is another, or nothing came in time
   */
  async send(method: string, path: string, request: ContractRequest): Promise<Body> {
    const answer = await this.patiently(method as Method, path, request);
    const expected = request.status ?? 200;
    if (answer.status !== expected) {
      throw new ContractViolation(
        `${method} ${path} answers ${answer.status}, not ${expected}: ${answer.text.slice(0, 300)}`,
      );
    }
    const problem = problemOf(() => this.options.contract.problemOf(method, path, answer));
    if (problem) throw new ContractViolation(problem);
    return bodyOf(answer.text);
  }

  /** Waits where the server asks for it: a limit of requests is no breach of the contract. */
  private async patiently(method: Method, path: string, request: ContractRequest) {
    for (let waits = 0; ; waits++) {
      const answer = await this.once(method, path, request);
      if (answer.status !== 429 || request.status === 429 || waits === MAX_WAITS) return answer;
      const seconds = Number(answer.retryAfter ?? 1);
      await sleep(Math.min(Number.isFinite(seconds) ? Math.max(seconds, 1) : 1, MAX_WAIT_SECONDS) * 1000);
    }
  }

  private async once(method: Method, path: string, { body, text, token }: ContractRequest) {
    const { origin, key, timeoutMs = TIMEOUT_MS } = this.options;
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const bearer = token === undefined ? key : token;
    try {
      const response = await fetch(`${origin}${path}`, {
        method,
        // Reading a tool asks for both headers, although there is no body.
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        },
        ...(sent === undefined ? {} : { body: sent }),
        redirect: 'manual',
        signal: timeoutSignal(timeoutMs),
      });
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        retryAfter: response.headers.get('retry-after'),
        text: await boundedText(response),
      };
    } catch (cause) {
      if (cause instanceof ContractViolation) throw cause;
      throw new ContractViolation(`${method} ${path}: ${reasonOf(cause)}`, { cause });
    }
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new ContractViolation(`The answer is larger than ${MAX_ANSWER_BYTES} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function problemOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof SyntaxError) return `The body is not JSON: ${error.message}`;
    throw error;
  }
}

function bodyOf(text: string): Body {
  return text === '' ? {} : (JSON.parse(text) as Body);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
