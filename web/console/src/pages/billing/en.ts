import type { billingPt } from './pt.js';

export const billingEn = {
  title: 'Billing',
  subtitle: 'Balance, usage and limits.',
  balance: 'Balance',
  balanceHint: 'The server administrator can add credit with: npm run account -- credit',
  limits: {
    title: 'Daily visitor limit',
    text: 'The most that visitor conversations and calls can spend per day. After that, visitors are turned away until midnight UTC.',
    field: 'US$ per day',
    save: 'Save limit',
    reset: 'Reset to server default',
    isDefault: 'This is the server default.',
    saved: 'Limit saved.',
  },
  transactions: {
    title: 'Transactions',
    none: 'No transactions yet.',
    when: 'When',
    type: 'Type',
    reference: 'Reference',
    amount: 'Amount',
    balance: 'Balance after',
    types: { credit: 'Credit', message: 'Message', call: 'Call', phone_number: 'Number' },
  },
  spend: {
    title: 'Daily spend',
    subtitle: 'Last 30 days (UTC)',
    none: 'No spend in this period.',
    total: (sum: string) => `Total: ${sum}`,
    amount: 'Amount',
  },
} satisfies typeof billingPt;
