import type { Feature } from '../../../feature.js';
import { CallAnnotationsModule } from './call-annotations.module.js';

export const callAnnotationsFeature: Feature = {
  module: CallAnnotationsModule,
  errorExamples: [
    {
      operation: /\/api\/user\/calls\/\{id\}\/notes\/\{noteId\}$/,
      status: 404,
      text: 'call_notes.not_found',
    },
    { operation: /^post \/api\/user\/calls\/\{id\}\/notes$/, status: 409, text: 'call_notes.too_many' },
  ],
};
