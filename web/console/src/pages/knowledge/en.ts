import type { knowledgePt } from './pt.js';

export const knowledgeEn = {
  title: 'Knowledge',
} satisfies typeof knowledgePt;
