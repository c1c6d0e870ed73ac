/**
 * Runs work whose effect covers all callers that asked before it began: they share one run. A caller that asks while
 * it runs is not covered by it, and shares the next one with all who come in the meantime.
 */
export class Singleflight {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves after a run that has begun after this call. @throws what that run throws */
  run(): Promise<void> {
    if (!this.running) return this.start();
    this.next ??= this.running.then(
      () => this.startNext(),
      () => this.startNext(),
    );
    return this.next;
  }

  private startNext(): Promise<void> {
    this.next = null;
    return this.start();
  }

  private start(): Promise<void> {
    const run = this.work().finally(() => {
      if (this.running === run) this.running = null;
    });
    this.running = run;
    return run;
  }
}
