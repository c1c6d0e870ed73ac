import type { keysPt } from './pt.js';

export const keysEn = {
  title: 'API keys',
} satisfies typeof keysPt;
