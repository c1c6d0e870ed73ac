import { IdempotencyService } from '../../common/idempotency/idempotency.service.js';
import { sweepIdempotencyKeysJob } from '../definitions/sweep-idempotency-keys.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepIdempotencyKeysJob)
export class SweepIdempotencyKeysProcessor extends JobProcessor<typeof sweepIdempotencyKeysJob> {
  constructor(private readonly idempotency: IdempotencyService) {
    super(sweepIdempotencyKeysJob);
  }

  protected handle(): Promise<unknown> {
    return this.idempotency.sweep();
  }
}
