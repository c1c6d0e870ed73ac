import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeoutSignal } from '../../common/time/timeout-signal.js';
import { UsageError } from '../remote-options.js';

export interface RemoteTurn {
  readonly role: 'customer' | 'assistant';
  readonly text: string;
  readonly function_calls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly result: unknown;
  }[];
}

export interface RemoteRun {
  readonly number: number;
  readonly status: 'pending' | 'passed' | 'failed' | 'error';
  readonly transcript: readonly RemoteTurn[];
  readonly checks: readonly { readonly check: number; readonly passed: boolean; readonly reason: string }[];
  readonly error: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A simulation as the API answers it. */
export interface RemoteSimulation {
  readonly id: number;
  readonly name: string | null;
  readonly status: 'processing' | 'completed';
  readonly checks: readonly Readonly<Record<string, unknown>>[];
  readonly results: readonly RemoteRun[];
}

const REQUEST_TIMEOUT_MS = 60_000;
const POLL_MS = 1_000;
const MAX_WAIT_SECONDS = 65;
/** Statuses after which the same request may succeed. */
const NOT_YET = new Set([429, 502, 503, 504]);

/** Simulations of a Prosa that runs elsewhere. */
export class RemoteSimulations {
  /** @param signal ends all waiting */
  constructor(
    private readonly origin: string,
    private readonly key: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws UsageError when the scenario, the key or the assistant is not accepted */
  async begin(assistantId: number, scenario: object): Promise<RemoteSimulation> {
    // Asked again after a break, the server begins nothing twice.
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = await this.ask('POST', `/user/assistant/${assistantId}/simulations`, {
      headers,
      body: scenario,
    });
    return (body as { data: RemoteSimulation }).data;
  }

  /** Waits until each run is over. Reports each run once it is. */
  async finished(id: number, onRun: (run: RemoteRun) => void): Promise<RemoteSimulation> {
    const reported = new Set<number>();
    for (;;) {
      const simulation = (await this.ask('GET', `/user/simulations/${id}`)) as RemoteSimulation;
      for (const run of simulation.results) {
        if (run.status === 'pending' || reported.has(run.number)) continue;
        reported.add(run.number);
        onRun(run);
      }
      if (simulation.status === 'completed') return simulation;
      await sleep(POLL_MS, undefined, { signal: this.signal });
    }
  }

  /** Deletes a simulation whose result is no longer awaited. */
  async delete(id: number): Promise<void> {
    await this.once('DELETE', `/user/simulations/${id}`, {}, timeoutSignal(REQUEST_TIMEOUT_MS));
  }

  /** Waits where the server asks for it, and retries while it is away. */
  private async ask(method: string, path: string, request: Sent = {}): Promise<unknown> {
    for (;;) {
      const signal = AbortSignal.any([this.signal, timeoutSignal(REQUEST_TIMEOUT_MS)]);
      const { status, text, retryAfter } = await this.once(method, path, request, signal);
      if (status >= 200 && status < 300) return JSON.parse(text);
      if (!NOT_YET.has(status)) throw refusal(this.origin, method, path, status, text);
      const seconds = Math.min(Math.max(Number(retryAfter) || 1, 1), MAX_WAIT_SECONDS);
      await sleep(seconds * 1_000, undefined, { signal: this.signal });
    }
  }

  private async once(method: string, path: string, { headers = {}, body }: Sent, signal: AbortSignal) {
    try {
      const response = await fetch(`${this.origin}/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.key}`,
          Accept: 'application/json',
          'Content-Type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal,
      });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        text: await response.text(),
      };
    } catch (cause) {
      this.signal.throwIfAborted();
      throw new UsageError(`${this.origin} does not answer`, { cause });
    }
  }
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function refusal(origin: string, method: string, path: string, status: number, text: string): Error {
  if (status === 401) return new UsageError(`${origin} does not accept the key`);
  return new UsageError(`${method} ${path} answers ${status}: ${wordsOf(text)}`);
}

function wordsOf(text: string): string {
  try {
    const { message, errors } = JSON.parse(text) as { message?: string; errors?: Record<string, string[]> };
    return errors ? Object.values(errors).flat().join(' ') : (message ?? text);
  } catch {
    return text.slice(0, 300);
  }
}
