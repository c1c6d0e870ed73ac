import type { Feature } from '../../feature.js';
import { SavedRepliesModule } from './saved-replies.module.js';
import { savedRepliesTexts } from './saved-replies.texts.js';

export const savedRepliesFeature: Feature = {
  module: SavedRepliesModule,
  texts: savedRepliesTexts,
  errorExamples: [
    {
      operation: /\/api\/user\/saved-replies\//,
      status: 404,
      text: savedRepliesTexts('saved_replies.not_found'),
    },
  ],
  tags: [{ name: 'Saved replies', description: 'Texts that people send to customers again and again.' }],
};
