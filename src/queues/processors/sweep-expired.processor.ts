import { AuthRetentionService } from '../../modules/auth/auth-retention.service.js';
import { BillingService } from '../../modules/billing/billing.service.js';
import { DialRetentionService } from '../../modules/campaigns/dialler/dial-retention.service.js';
import { sweepExpiredJob } from '../definitions/sweep-expired.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepExpiredJob)
export class SweepExpiredProcessor extends JobProcessor<typeof sweepExpiredJob> {
  constructor(
    private readonly auth: AuthRetentionService,
    private readonly billing: BillingService,
    private readonly dials: DialRetentionService,
  ) {
    super(sweepExpiredJob);
  }

  protected async handle(): Promise<void> {
    await this.auth.sweep();
    await this.billing.sweepSettledHolds();
    await this.dials.sweep();
  }
}
