import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '../common/observability/logger.js';
import type { Transactions, Tx } from './transactions.js';

const INTERVAL_MS = 1_000;
/** While nothing changes. */
const IDLE_INTERVAL_MS = 10_000;
/** Bounds a transaction; what is left waits for the next one. */
const BATCH = 10_000;

/** Counts of rows, to which writers only append changes, so that no two of them wait for one another. */
export interface SettledCounts {
  /** Whether this process may settle until the transaction ends. */
  tryLock(tx: Tx): Promise<boolean>;
  /** Moves the oldest changes into the counts. Returns how many they were. */
  settle(limit: number, tx: Tx): Promise<number>;
  /** Counts that have come to nothing. */
  deleteEmpty(tx: Tx): Promise<void>;
  hasChanges(): Promise<boolean>;
}

/**
 * Settles the changes of counts, so that readers have few to add up. What is read is exact without it and only becomes
 * slower, so every process tries and one at a time does it.
 */
export abstract class CountSettlement implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  protected abstract readonly counts: SettledCounts;

  constructor(
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.scheduleNext(INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Settles until nothing is left, or another process is at it. False when there was nothing. */
  async settle(): Promise<boolean> {
    if (!(await this.counts.hasChanges())) return false;
    while ((await this.settleBatch()) === BATCH && !this.stopped);
    return true;
  }

  private settleBatch(): Promise<number> {
    return this.transactions.run(async (tx) => {
      if (!(await this.counts.tryLock(tx))) return 0;
      const taken = await this.counts.settle(BATCH, tx);
      await this.counts.deleteEmpty(tx);
      return taken;
    });
  }

  private scheduleNext(waitMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.settle()
        .catch((error: unknown) => {
          this.logger.warn('counts not settled', { counts: this.constructor.name, err: error });
          return false;
        })
        .then((found) => this.scheduleNext(found ? INTERVAL_MS : IDLE_INTERVAL_MS));
    }, waitMs);
    this.timer.unref();
  }
}
