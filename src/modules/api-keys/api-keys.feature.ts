import type { Feature } from '../../feature.js';
import { ApiKeysModule } from './api-keys.module.js';

export const apiKeysFeature: Feature = {
  module: ApiKeysModule,
  tags: [
    {
      name: 'API keys',
      description:
        'Lasting keys for `/api/user/…` and `/api/automate/…`. A key is shown once, when it is made.',
    },
  ],
};
