import type { Feature } from '../../feature.js';
import { CallCompletionModule } from './call-completion.module.js';
import { evaluateCallJob } from './evaluate-call.job.js';
import { sweepWebhookDeliveriesJob } from './sweep-webhook-deliveries.job.js';

export const callCompletionFeature: Feature = {
  workerModules: [CallCompletionModule],
  jobs: [evaluateCallJob, sweepWebhookDeliveriesJob],
};
