import { LRUCache } from 'lru-cache';

interface Circuit {
  failures: number;
  /** Milliseconds of the clock below; calls are refused until then. */
  openUntil: number;
}

export interface BreakerRules {
  /** Failures in a row that open it. */
  readonly failures: number;
  readonly openMs: number;
}

const MAX_CIRCUITS = 10_000;

/**
 * Keeps conversations from waiting, each for its whole time-out, for a server that is down: after some failures in a row calls are
 * refused for a while; then one goes through, and its outcome decides. Each process learns for itself.
 */
export class CircuitBreaker {
  private readonly circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly rules: BreakerRules,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a call may be made; after the pause the one that asks first is the trial. */
  allows(key: string): boolean {
    const circuit = this.circuits.get(key);
    if (!circuit || circuit.failures < this.rules.failures) return true;
    if (this.now() < circuit.openUntil) return false;
    circuit.openUntil = this.now() + this.rules.openMs;
    return true;
  }

  succeeded(key: string): void {
    this.circuits.delete(key);
  }

  failed(key: string): void {
    const failures = (this.circuits.get(key)?.failures ?? 0) + 1;
    this.circuits.set(key, { failures, openUntil: this.now() + this.rules.openMs });
  }
}
