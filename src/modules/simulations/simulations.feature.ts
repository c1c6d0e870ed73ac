import type { Feature } from '../../feature.js';
import { runSimulationJob } from './running/run-simulation.job.js';
import { RunSimulationProcessor } from './running/run-simulation.processor.js';
import { sweepSimulationsJob } from './running/sweep-simulations.job.js';
import { SweepSimulationsProcessor } from './running/sweep-simulations.processor.js';
import { SimulationsModule } from './simulations.module.js';
import { simulationText } from './simulations.texts.js';

export const simulationsFeature: Feature = {
  module: SimulationsModule,
  jobs: [
    { definition: runSimulationJob, processor: RunSimulationProcessor },
    { definition: sweepSimulationsJob, processor: SweepSimulationsProcessor },
  ],
  texts: simulationText,
  tags: [
    {
      name: 'Simulations',
      description:
        'Conversations in which a script or a model plays the customer of an assistant, and what is checked of them.',
    },
  ],
  errorExamples: [
    {
      operation: /\/api\/user\/simulations\//,
      status: 404,
      text: simulationText('simulations.not_found'),
    },
  ],
};
