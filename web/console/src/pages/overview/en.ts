import type { overviewPt } from './pt.js';

export const overviewEn = {
  title: 'Overview',
} satisfies typeof overviewPt;
