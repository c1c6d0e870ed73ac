import type { Feature } from '../../feature.js';
import { CallsModule } from './calls.module.js';
import { dialCallJob } from './session/dial-call.job.js';
import { DialCallProcessor } from './session/dial-call.processor.js';
import { endCallsJob } from './session/stops/end-calls.job.js';
import { EndCallsProcessor } from './session/stops/end-calls.processor.js';
import { evaluateCallJob } from './completion/evaluate-call.job.js';
import { EvaluateCallProcessor } from './completion/evaluate-call.processor.js';
import { sweepCallsJob } from './session/recovery/sweep-calls.job.js';
import { SweepCallsProcessor } from './session/recovery/sweep-calls.processor.js';
import { sweepRecordingsJob } from './recordings/sweep-recordings.job.js';
import { SweepRecordingsProcessor } from './recordings/sweep-recordings.processor.js';
import { sweepWebhookDeliveriesJob } from './completion/sweep-webhook-deliveries.job.js';
import { SweepWebhookDeliveriesProcessor } from './completion/sweep-webhook-deliveries.processor.js';

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
