import type { Feature } from '../../feature.js';
import { IdempotencyModule } from './idempotency.module.js';
import { sweepIdempotencyKeysJob } from './sweep-idempotency-keys.job.js';

export const idempotencyFeature: Feature = {
  module: IdempotencyModule,
  jobs: [sweepIdempotencyKeysJob],
};
