/** Jobs of one process that wait for the queue to take them. What is beyond is left to the sweeps. */
const MAX_PENDING = 1_000;

interface Pending {
  /** Asked for again while the queue had not answered: the job may have run before the new reason was committed. */
  again: (() => Promise<unknown>) | null;
}

/**
 * Hands jobs to the queue without blocking callers. A queue that is away delays at most a bounded number of jobs: of
 * the same job two, the one in flight and one after that.
 */
export class WakeUps {
  private readonly pending = new Map<string, Pending>();
  private readonly running = new Set<Promise<void>>();

  /** @param onFailure is called for each job that was not handed over; never fails itself */
  constructor(
    private readonly onFailure: (error: unknown) => void,
    private readonly maxPending = MAX_PENDING,
  ) {}

  get count(): number {
    return this.pending.size;
  }

  /**
   * Returns at once and never throws.
   *
   * @param key what makes two jobs the same
   */
  send(key: string, add: () => Promise<unknown>): void {
    const before = this.pending.get(key);
    if (before) {
      before.again = add;
      return;
    }
    if (this.pending.size >= this.maxPending) {
      this.onFailure(new Error(`${this.maxPending} jobs wait for the queue already`));
      return;
    }
    const run = this.run(key, add).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Waits until the queue has taken everything, at most so long. */
  async settle(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.running), late]);
    clearTimeout(timer);
  }

  private async run(key: string, add: () => Promise<unknown>): Promise<void> {
    const pending: Pending = { again: null };
    this.pending.set(key, pending);
    for (let next: typeof pending.again = add; next;) {
      pending.again = null;
      try {
        await next();
      } catch (error) {
        this.onFailure(error);
      }
      next = pending.again;
    }
    this.pending.delete(key);
  }
}
