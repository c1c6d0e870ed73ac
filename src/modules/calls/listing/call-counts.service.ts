import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { CallCountsRepository } from './call-counts.repository.js';

const INTERVAL_MS = 1_000;
/** While no call changes anything. */
const IDLE_INTERVAL_MS = 10_000;
/** Bounds a transaction; what is left waits for the next one. */
const BATCH = 10_000;

/**
 * Settles the changes in the numbers of calls, so that readers have few to add up. Lists are exact without it and only
 * become slower, so every process tries and one at a time does it.
 */
@Injectable()
export class CallCountsService implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly counts: CallCountsRepository,
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
          this.logger.warn('call counts not settled', { err: error });
          return false;
        })
        .then((found) => this.scheduleNext(found ? INTERVAL_MS : IDLE_INTERVAL_MS));
    }, waitMs);
    this.timer.unref();
  }
}
