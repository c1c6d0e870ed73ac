import type { inboxPt } from './pt.js';

export const inboxEn = {
  title: 'Inbox',
} satisfies typeof inboxPt;
