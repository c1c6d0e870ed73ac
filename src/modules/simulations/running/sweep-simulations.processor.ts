import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { SimulationRunsService } from './simulation-runs.service.js';
import { sweepSimulationsJob } from './sweep-simulations.job.js';

@ProcessorOf(sweepSimulationsJob)
export class SweepSimulationsProcessor extends JobProcessor<typeof sweepSimulationsJob> {
  constructor(private readonly runs: SimulationRunsService) {
    super(sweepSimulationsJob);
  }

  protected handle(): Promise<unknown> {
    return this.runs.sweep();
  }
}
