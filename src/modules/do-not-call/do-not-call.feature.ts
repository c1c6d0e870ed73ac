import type { Feature } from '../../feature.js';
import { DoNotCallModule } from './do-not-call.module.js';
import { doNotCallTexts } from './do-not-call.texts.js';

export const doNotCallFeature: Feature = {
  module: DoNotCallModule,
  texts: doNotCallTexts,
  errorExamples: [
    {
      operation: /\/api\/user\/do-not-call\//,
      status: 404,
      text: doNotCallTexts('do_not_call.not_found'),
    },
  ],
  tags: [{ name: 'Do-not-call list', description: 'Numbers that are never called.' }],
};
