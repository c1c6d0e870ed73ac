import type { ContractCheck } from '../../../src/contract/contract-check.js';

/** An answer as the client got it; no status when there was none. */
export interface Outcome {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly text: string;
  /** Why there was no whole answer. */
  readonly failure: string | null;
  readonly tookMs: number;
}

const SHAPES: readonly ((body: Record<string, unknown>) => boolean)[] = [
  ({ message }) => typeof message === 'string',
  ({ error }) => typeof error === 'string',
];
/** No answer may take longer, whatever is broken. */
const SLOWEST_MS = 40_000;
/** The Idempotency-Key of a process that died answers 409 for so long. */
const KEY_LEASE_MS = 10_000;

/** Holds answers against the documented shapes, stricter while nothing is broken. */
export class Judge {
  readonly statuses = new Map<string, number>();
  private readonly wrong = new Map<string, { count: number; example: string }>();
  /** Something is broken on purpose, or was a moment ago. */
  isFaulty = false;
  /** The process that answers is dead or frozen on purpose, or was a moment ago. */
  isApiAway = false;
  private calmSince = Number.NEGATIVE_INFINITY;

  constructor(private readonly contract: ContractCheck) {}

  /** Kinds of wrong answers, how often, and one of each. */
  get violations(): string[] {
    return [...this.wrong].map(
      ([kind, { count, example }]) => `${kind} (${count} times), such as: ${example}`,
    );
  }

  see(outcome: Outcome): void {
    const name = outcome.status === null ? 'none' : String(outcome.status);
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    const problem = this.problemOf(outcome);
    if (problem !== null) this.complain(outcome, problem.kind, problem.example);
  }

  complain({ method, path }: Outcome, problem: string, example: string): void {
    const kind = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '…')}: ${problem}`;
    const found = this.wrong.get(kind) ?? { count: 0, example: example.slice(0, 300) };
    found.count += 1;
    this.wrong.set(kind, found);
  }

  /** From now on nothing is broken, and what the fault left behind must be gone in time. */
  calmDown(): void {
    this.isFaulty = false;
    this.isApiAway = false;
    this.calmSince = performance.now();
  }

  private problemOf(outcome: Outcome): { kind: string; example: string } | null {
    const { status, failure, text, tookMs, method, path, retryAfter } = outcome;
    if (failure !== null || status === null) {
      if (this.isApiAway) return null;
      return { kind: 'no whole answer', example: `${failure ?? ''} after ${Math.round(tookMs)} ms` };
    }
    if (tookMs > SLOWEST_MS) return { kind: 'slower than allowed', example: `${Math.round(tookMs)} ms` };
    if (status === 503) return this.problemOfRefusal(outcome);
    if (status >= 500) return { kind: `answers ${status}`, example: text };
    const mismatch = this.contract.problemOf(method, path, { ...outcome, status });
    if (mismatch !== null) return { kind: `${status}, not as documented`, example: mismatch };
    if (status === 409 && retryAfter !== null && performance.now() - this.calmSince < KEY_LEASE_MS)
      return null;
    if (status >= 400 && !this.isFaulty) return { kind: `${status} while nothing is broken`, example: text };
    return null;
  }

  private problemOfRefusal({ retryAfter, text }: Outcome): { kind: string; example: string } | null {
    if (!this.isFaulty) return { kind: '503 while nothing is broken', example: text };
    if (!/^\d+$/.test(retryAfter ?? '')) return { kind: '503 without Retry-After', example: text };
    const body = parsed(text);
    return SHAPES.some((fits) => fits(body)) ? null : { kind: '503 of no documented shape', example: text };
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
