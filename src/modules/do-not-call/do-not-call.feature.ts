import type { Feature } from '../../feature.js';
import { DoNotCallModule } from './do-not-call.module.js';

export const doNotCallFeature: Feature = {
  module: DoNotCallModule,
  tags: [{ name: 'Do-not-call list', description: 'Numbers that are never called.' }],
};
