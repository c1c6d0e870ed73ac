import type { webhooksPt } from './pt.js';

export const webhooksEn = {
  title: 'Webhooks',
} satisfies typeof webhooksPt;
