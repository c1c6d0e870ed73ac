const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 8_000;

/**
 * Tenants whose claims timed out on row locks that another transaction holds. Each is skipped for a while that
 * doubles. Any number of them therefore leaves places in which others' leads are claimed.
 */
export class TenantBackoff {
  private readonly rests = new Map<number, { readonly untilMs: number; readonly restMs: number }>();

  /** Notes that a claim of the tenant was given up after its wait. */
  add(userId: number, nowMs = performance.now()): void {
    const before = this.rests.get(userId);
    const restMs = before ? Math.min(before.restMs * 2, MAX_REST_MS) : FIRST_REST_MS;
    this.rests.set(userId, { untilMs: nowMs + restMs, restMs });
  }

  /** A claim of the tenant got its rows. */
  delete(userId: number): void {
    this.rests.delete(userId);
  }

  isResting(userId: number, nowMs = performance.now()): boolean {
    return (this.rests.get(userId)?.untilMs ?? -Infinity) > nowMs;
  }
}
