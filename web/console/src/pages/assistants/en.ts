import type { assistantsPt } from './pt.js';

export const assistantsEn = {
  title: 'Assistants',
} satisfies typeof assistantsPt;
