import { Injectable } from '@nestjs/common';
import { RetentionConfig } from '../../../../config/config.js';
import { DialAttemptsRepository } from './dial-attempts.repository.js';

const BATCH = 1_000;

/** Deletes attempts that were settled long ago. What a lead has had is counted on the lead, and stays. */
@Injectable()
export class DialRetentionService {
  constructor(
    private readonly attempts: DialAttemptsRepository,
    private readonly retention: RetentionConfig,
  ) {}

  /** Safe in many processes at once. */
  async sweep(): Promise<void> {
    while ((await this.attempts.removeSettled(this.retention.dialAttemptsMs, BATCH)) === BATCH);
  }
}
