import { DialSweeper } from '../../modules/campaigns/dialler/dial-sweeper.js';
import { sweepDialsJob } from '../definitions/sweep-dials.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepDialsJob)
export class SweepDialsProcessor extends JobProcessor<typeof sweepDialsJob> {
  constructor(private readonly sweeper: DialSweeper) {
    super(sweepDialsJob);
  }

  protected handle(): Promise<unknown> {
    return this.sweeper.sweep();
  }
}
