/**
 * Runs a piece of work, never twice at the same time. Calls during a run share one more run after it, since the running one may
 * have read older data.
 */
export class CoalescingRunner {
  private running: Promise<void> | null = null;
  private isWanted = false;

  /** @param work returns whether to run again immediately */
  run(work: () => Promise<boolean>): Promise<void> {
    this.isWanted = true;
    this.running ??= this.repeat(work);
    return this.running;
  }

  private async repeat(work: () => Promise<boolean>): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        if (await work()) this.isWanted = true;
      }
    } finally {
      this.running = null;
    }
  }
}
