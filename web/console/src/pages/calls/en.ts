import type { callsPt } from './pt.js';

export const callsEn = {
  title: 'Calls',
} satisfies typeof callsPt;
