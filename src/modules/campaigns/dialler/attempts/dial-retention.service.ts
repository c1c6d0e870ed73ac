import { Injectable } from '@nestjs/common';
import { RetentionConfig } from '#src/config/config.js';
import { Handles } from '#src/queues/workers/handles.js';
import { DialAttemptsRepository } from './dial-attempts.repository.js';
import { sweepSettledAttemptsJob } from './sweep-settled-attempts.job.js';

const BATCH = 1_000;
const DETACH_BATCH = 5_000;

/**
 * Deletes attempts that were settled long ago. What a lead has had is counted on the lead, and stays. Those of a deleted campaign
 * are kept as long as others.
 */
@Injectable()
export class DialRetentionService {
  constructor(
    private readonly attempts: DialAttemptsRepository,
    private readonly retention: RetentionConfig,
  ) {}

  /** Safe in many processes at once. */
  @Handles(sweepSettledAttemptsJob)
  async sweep(): Promise<void> {
    while ((await this.attempts.removeSettled(this.retention.dialAttemptsMs, BATCH)) === BATCH);
  }

  /** Parts settled attempts from a campaign that is about to be deleted, in batches, so that no statement runs for long. */
  async detachCampaign(userId: number, campaignId: number): Promise<void> {
    while (await this.attempts.detachSettled(userId, campaignId, DETACH_BATCH));
  }
}
