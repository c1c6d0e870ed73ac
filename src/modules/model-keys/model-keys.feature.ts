import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { modelKeyRefusedEvent } from './model-key-refused.event.js';
import { ModelKeysModule } from './model-keys.module.js';
import { modelKeyText } from './model-keys.texts.js';

export const modelKeysFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'model_keys',
      column: 'sealed_api_key',
      place: 'model_keys.api_key',
      whenLost: 'delete',
      rowId: 'service',
      primaryKey: ['user_id', 'service'],
      newestBy: 'updated_at',
    }),
  ],
  module: ModelKeysModule,
  texts: modelKeyText,
  tags: [
    {
      name: 'Model keys',
      description:
        'Keys for models and speech that an account brings, used in place of those of the installation.',
    },
  ],
  errorExamples: [
    {
      operation: /\/api\/user\/model-keys\/speech\//,
      status: 404,
      text: modelKeyText('model_keys.unknown_provider'),
    },
    { operation: /\/api\/user\/model-keys\//, status: 404, text: modelKeyText('model_keys.not_found') },
  ],
  webhookEvents: [modelKeyRefusedEvent],
};
