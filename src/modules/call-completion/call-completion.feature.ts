import type { Feature } from '../../feature.js';
import { CallCompletionModule } from './call-completion.module.js';
import { evaluateCallJob } from './evaluate-call.job.js';
import { EvaluateCallProcessor } from './evaluate-call.processor.js';
import { sweepWebhookDeliveriesJob } from './sweep-webhook-deliveries.job.js';
import { SweepWebhookDeliveriesProcessor } from './sweep-webhook-deliveries.processor.js';

export const callCompletionFeature: Feature = {
  workerModules: [CallCompletionModule],
  jobs: [
    { definition: evaluateCallJob, processor: EvaluateCallProcessor },
    { definition: sweepWebhookDeliveriesJob, processor: SweepWebhookDeliveriesProcessor },
  ],
};
