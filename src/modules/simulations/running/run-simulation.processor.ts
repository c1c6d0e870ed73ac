import type { PayloadOf } from '../../../queues/job-definition.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';
import { runSimulationJob } from './run-simulation.job.js';
import { SimulationRunsService } from './simulation-runs.service.js';

@ProcessorOf(runSimulationJob)
export class RunSimulationProcessor extends JobProcessor<typeof runSimulationJob> {
  constructor(private readonly runs: SimulationRunsService) {
    super(runSimulationJob);
  }

  protected handle({ runId }: PayloadOf<typeof runSimulationJob>): Promise<unknown> {
    return this.runs.play(runId);
  }
}
