import type { CancelTimer, Clock } from '../../../common/time/clock.js';

/** Limits how long the far end of a line may keep it on hold without a break. */
export class HoldLimit {
  private cancel: CancelTimer | null = null;

  /** @param onExceeded called once for each hold that lasts too long */
  constructor(
    private readonly clock: Clock,
    private readonly maxHoldMs: number,
    private readonly onExceeded: () => void,
  ) {}

  lineIs(state: 'held' | 'open'): void {
    if (state === 'open') return this.close();
    this.cancel ??= this.clock.after(this.maxHoldMs, this.onExceeded);
  }

  close(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
