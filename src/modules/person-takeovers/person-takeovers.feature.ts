import type { Feature } from '../../feature.js';
import { callHandedBackEvent } from './call-handed-back.event.js';
import { sweepTransferOffersJob } from './offers/sweep-transfer-offers.job.js';
import { callTakenOverEvent } from './call-taken-over.event.js';

export const personTakeoversFeature: Feature = {
  webhookEvents: [callHandedBackEvent, callTakenOverEvent],
  jobs: [sweepTransferOffersJob],
};
