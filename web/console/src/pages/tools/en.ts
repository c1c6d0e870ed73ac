import type { toolsPt } from './pt.js';

export const toolsEn = {
  title: 'Tools',
} satisfies typeof toolsPt;
