import { Injectable } from '@nestjs/common';
import { JobsService } from '../../../queues/jobs.service.js';
import { runSimulationJob } from './run-simulation.job.js';
import { SimulationRunsRepository } from './simulation-runs.repository.js';

/**
 * Runs of one simulation that are played at once: a simulation of twenty runs does not delay those of other accounts.
 */
const AT_ONCE = 4;
const SIMULATIONS = 100;

/** Has workers play the runs that are waiting. */
@Injectable()
export class SimulationWakeUpsService {
  constructor(
    private readonly runs: SimulationRunsRepository,
    private readonly jobs: JobsService,
  ) {}

  /** The next runs of a simulation. */
  async wake(simulationId: number): Promise<void> {
    this.wakeRuns(await this.runs.pending(simulationId, AT_ONCE));
  }

  /** Those whose job was lost, and those whose process has died. */
  async wakeForgotten(): Promise<void> {
    this.wakeRuns(await this.runs.allPending(SIMULATIONS, AT_ONCE));
  }

  private wakeRuns(ids: readonly number[]): void {
    for (const runId of ids) this.jobs.wake(runSimulationJob, { runId }, { id: `simulation-run-${runId}` });
  }
}
