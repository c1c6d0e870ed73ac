import type { numbersPt } from './pt.js';

export const numbersEn = {
  title: 'Numbers',
} satisfies typeof numbersPt;
