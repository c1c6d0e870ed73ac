import type { Feature } from '../../feature.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { CallRecoveryWorkerModule } from './call-recovery-worker.module.js';
import { sweepCallsJob } from './sweep-calls.job.js';

export const callRecoveryFeature: Feature = {
  workerModules: [CallRecoveryWorkerModule],
  jobs: [dialCallJob, sweepCallsJob],
};
