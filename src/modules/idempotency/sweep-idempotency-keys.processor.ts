import { IdempotencyService } from './idempotency.service.js';
import { sweepIdempotencyKeysJob } from './sweep-idempotency-keys.job.js';
import { JobProcessor } from '../../queues/job-processor.js';
import { ProcessorOf } from '../../queues/processor-of.js';

@ProcessorOf(sweepIdempotencyKeysJob)
export class SweepIdempotencyKeysProcessor extends JobProcessor<typeof sweepIdempotencyKeysJob> {
  constructor(private readonly idempotency: IdempotencyService) {
    super(sweepIdempotencyKeysJob);
  }

  protected handle(): Promise<unknown> {
    return this.idempotency.sweep();
  }
}
