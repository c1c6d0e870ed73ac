import type { Feature } from '../../feature.js';
import { endCallsJob } from '../active-calls/ends/end-calls.job.js';
import { CallSessionsModule } from './call-sessions.module.js';

export const callSessionsFeature: Feature = {
  workerModules: [CallSessionsModule],
  voiceModules: [CallSessionsModule],
  jobs: [endCallsJob],
};
