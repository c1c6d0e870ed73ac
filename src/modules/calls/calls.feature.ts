import type { Feature } from '../../feature.js';
import { CallsModule } from './calls.module.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { DialCallProcessor } from '../call-recovery/dial-call.processor.js';
import { endCallsJob } from '../active-calls/ends/end-calls.job.js';
import { EndCallsProcessor } from '../call-sessions/ends/end-calls.processor.js';
import { evaluateCallJob } from '../call-completion/evaluate-call.job.js';
import { EvaluateCallProcessor } from '../call-completion/evaluate-call.processor.js';
import { sweepCallsJob } from '../call-recovery/sweep-calls.job.js';
import { SweepCallsProcessor } from '../call-recovery/sweep-calls.processor.js';
import { sweepRecordingsJob } from './recordings/sweep-recordings.job.js';
import { SweepRecordingsProcessor } from './recordings/sweep-recordings.processor.js';
import { sweepWebhookDeliveriesJob } from '../call-completion/sweep-webhook-deliveries.job.js';
import { SweepWebhookDeliveriesProcessor } from '../call-completion/sweep-webhook-deliveries.processor.js';

export const callsFeature: Feature = {
  module: CallsModule,
  jobs: [
    { definition: dialCallJob, processor: DialCallProcessor },
    { definition: endCallsJob, processor: EndCallsProcessor },
    { definition: evaluateCallJob, processor: EvaluateCallProcessor },
    { definition: sweepCallsJob, processor: SweepCallsProcessor },
    { definition: sweepRecordingsJob, processor: SweepRecordingsProcessor },
    { definition: sweepWebhookDeliveriesJob, processor: SweepWebhookDeliveriesProcessor },
  ],
  tags: [{ name: 'Calls', description: 'Calls that were made, and calls of one’s own.' }],
};
