import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { JobsService } from '../jobs.service.js';

const LOOK_EVERY_MS = 1_000;
/** Smaller steps delay a job by no more than that. */
const MIN_STEP_MS = 500;

/**
 * BullMQ plans delayed and recurring jobs by the machine's calendar: when that is set back, nothing is due until it has
 * caught up. Each worker therefore compares the calendar with the monotonic clock, and plans all jobs anew after a step
 * back. A step forward only lets jobs come early.
 */
@Injectable()
export class QueueClockService implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private aheadMs = calendarAheadMs();
  private replanning = false;

  constructor(
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const aheadMs = calendarAheadMs();
    const stepMs = this.aheadMs - aheadMs;
    // Slow corrections add up until they count.
    if (stepMs < 0) this.aheadMs = aheadMs;
    if (stepMs < MIN_STEP_MS || this.replanning) return;
    this.replanning = true;
    try {
      await this.jobs.replan();
      this.aheadMs = aheadMs;
      this.logger.warn('clock was set back, jobs planned anew', { stepMs: Math.round(stepMs) });
    } catch (error) {
      // Looked at again in a moment: the step still counts.
      this.logger.error('jobs not planned anew after the clock was set back', { err: error });
    } finally {
      this.replanning = false;
    }
  }
}

/** Constant but for rounding, unless the calendar is set. */
function calendarAheadMs(): number {
  return Date.now() - performance.now();
}
