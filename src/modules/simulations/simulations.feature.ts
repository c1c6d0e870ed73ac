import type { Feature } from '../../feature.js';
import { runSimulationJob } from './running/run-simulation.job.js';
import { sweepSimulationsJob } from './running/sweep-simulations.job.js';
import { SimulationsModule } from './simulations.module.js';
import { simulationText } from './simulations.texts.js';

export const simulationsFeature: Feature = {
  module: SimulationsModule,
  jobs: [runSimulationJob, sweepSimulationsJob],
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
