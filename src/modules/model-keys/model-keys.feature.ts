import type { Feature } from '../../feature.js';
import { modelKeyRefusedEvent } from './model-key-refused.event.js';
import { ModelKeysModule } from './model-keys.module.js';
import { modelKeyText } from './model-keys.texts.js';

export const modelKeysFeature: Feature = {
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
