import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { PrivacyModule } from './privacy.module.js';
import { sweepRetentionJob } from './retention/sweep-retention.job.js';
import { sweepErasuresJob } from './sweep-erasures.job.js';

export const privacyFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'erasures',
      column: 'sealed_phone_number',
      place: 'erasures.phone_number',
      whenLost: 'delete',
    }),
  ],
  module: PrivacyModule,
  jobs: [sweepErasuresJob, sweepRetentionJob],
  tags: [{ name: 'Privacy', description: 'What is held about a person, given out and erased.' }],
};
