import type { Feature } from '../../feature.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { CallRecoveryWorkerModule } from './call-recovery-worker.module.js';
import { DialCallProcessor } from './dial-call.processor.js';
import { sweepCallsJob } from './sweep-calls.job.js';
import { SweepCallsProcessor } from './sweep-calls.processor.js';

export const callRecoveryFeature: Feature = {
  workerModules: [CallRecoveryWorkerModule],
  jobs: [
    { definition: dialCallJob, processor: DialCallProcessor },
    { definition: sweepCallsJob, processor: SweepCallsProcessor },
  ],
};
