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
import { sweepNumberVerificationsJob } from '../number-verifications/sweep-number-verifications.job.js';
import { SweepNumberVerificationsProcessor } from '../number-verifications/sweep-number-verifications.processor.js';
import { verificationText } from '../number-verifications/verification.texts.js';
import { CallWorkersModule } from './call-workers.module.js';

export const callsFeature: Feature = {
  module: CallsModule,
  texts: verificationText,
  errorExamples: [
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 400,
      text: verificationText('verifications.no_carrier'),
    },
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 402,
      text: 'billing.insufficient_balance',
    },
    {
      operation: /^post .*\/phone-numbers\/verifications$/,
      status: 409,
      text: verificationText('verifications.under_way'),
    },
    {
      operation: /\/verifications\/\{id\}\/confirm$/,
      status: 400,
      text: verificationText('verifications.no_tries_left'),
    },
    {
      operation: /\/phone-numbers\/verifications\//,
      status: 404,
      text: verificationText('verifications.not_found'),
    },
    {
      operation: /\/phone-numbers\/verifications\//,
      status: 409,
      text: verificationText('verifications.no_code_awaited'),
    },
  ],
  jobs: [
    { definition: dialCallJob, processor: DialCallProcessor },
    { definition: endCallsJob, processor: EndCallsProcessor },
    { definition: evaluateCallJob, processor: EvaluateCallProcessor },
    { definition: sweepCallsJob, processor: SweepCallsProcessor },
    { definition: sweepNumberVerificationsJob, processor: SweepNumberVerificationsProcessor },
    { definition: sweepRecordingsJob, processor: SweepRecordingsProcessor },
    { definition: sweepWebhookDeliveriesJob, processor: SweepWebhookDeliveriesProcessor },
  ],
  workerModules: [CallWorkersModule],
  tags: [{ name: 'Calls', description: 'Calls that were made, and calls of one’s own.' }],
};
