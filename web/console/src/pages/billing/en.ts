import type { billingPt } from './pt.js';

export const billingEn = {
  title: 'Billing',
} satisfies typeof billingPt;
