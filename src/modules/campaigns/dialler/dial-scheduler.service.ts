import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import { Logger } from '../../../common/observability/logger.js';
import { Handles } from '../../../queues/workers/handles.js';
import { DialClaimsRepository } from './claims/dial-claims.repository.js';
import { DiallerService } from './dialler.service.js';
import { dialCampaignsJob } from './dial-campaigns.job.js';

const BEAT_MS = 1_000;

/**
 * Dials, and again every second for as long as a campaign runs: for retries that fall due and windows that open. A
 * process that has seen no running campaign has nothing to look for; a start wakes it, and so does the queue's interval.
 */
@Injectable()
export class DialSchedulerService implements OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly dialler: DiallerService,
    private readonly claims: DialClaimsRepository,
    private readonly logger: Logger,
    drain: DrainService,
  ) {
    drain.leaving.addEventListener('abort', () => this.stop());
  }

  @Handles(dialCampaignsJob)
  async run(): Promise<void> {
    // Without one there are no leads to dial, and an idle installation pays for each statement.
    if (!(await this.claims.isAnyCampaignRunning())) return;
    await this.dialler.run();
    this.beatLater();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private stop(): void {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private beatLater(): void {
    if (this.timer || this.isStopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.run().catch((error: unknown) => {
        this.logger.error('dialling failed', { err: error });
        this.beatLater();
      });
    }, BEAT_MS);
    this.timer.unref();
  }
}
