import type { campaignsPt } from './pt.js';

export const campaignsEn = {
  title: 'Campaigns',
} satisfies typeof campaignsPt;
