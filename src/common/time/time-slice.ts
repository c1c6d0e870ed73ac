import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides a long computation, so that it holds the event loop for no longer than `sliceMs` at a time. */
export class TimeSlice {
  private startedAt = performance.now();

  constructor(private readonly sliceMs: number) {}

  /** Whether it is time to let others go first: `if (slice.isOver()) await slice.rest()`. */
  isOver(): boolean {
    return performance.now() - this.startedAt >= this.sliceMs;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.startedAt = performance.now();
  }
}
