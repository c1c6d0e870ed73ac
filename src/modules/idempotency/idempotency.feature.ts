import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { IdempotencyModule } from './idempotency.module.js';
import { sweepIdempotencyKeysJob } from './sweep-idempotency-keys.job.js';

export const idempotencyFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'idempotency_keys',
      column: 'sealed_body',
      place: 'idempotency_keys.body',
      whenLost: 'null',
      userId: '0',
      rowId: "encode(key_hash, 'hex')",
      primaryKey: ['key_hash'],
      newestBy: 'created_at',
    }),
  ],
  module: IdempotencyModule,
  jobs: [sweepIdempotencyKeysJob],
};
