import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { ActiveCallsModule } from './active-calls.module.js';

export const activeCallsFeature: Feature = {
  module: ActiveCallsModule,
  sealedColumns: [
    sealedColumn({
      table: 'active_calls',
      column: 'line_state',
      place: 'active_calls.line_state',
      whenLost: 'null',
      rowId: 'call_id',
      primaryKey: ['call_id'],
      newestBy: 'call_id',
    }),
  ],
};
