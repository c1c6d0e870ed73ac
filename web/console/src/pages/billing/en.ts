import type { billingPt } from './pt.js';

export const billingEn = {
  title: 'Billing',
  subtitle: 'Balance, spend and limits.',
  balance: 'Balance',
  balanceHint: 'Whoever runs this server adds to it with: npm run account -- credit',
  limits: {
    title: 'Limit of visitors',
    text: 'What conversations and calls that visitors open may spend a day. Beyond it they are refused until the next day (UTC).',
    field: 'Dollars a day',
    save: 'Save limit',
    reset: 'Use the default of the installation',
    isDefault: 'It is the default of the installation.',
    saved: 'The limit is saved.',
  },
  transactions: {
    title: 'Movements',
    none: 'No movements yet.',
    when: 'When',
    type: 'Type',
    reference: 'Reference',
    amount: 'Amount',
    balance: 'Balance after',
    types: { credit: 'Credit', message: 'Message', call: 'Call', phone_number: 'Number' },
  },
  spend: {
    title: 'Spend by day',
    subtitle: 'Last 30 days, in UTC',
    none: 'Nothing was spent in these days.',
    total: (sum: string) => `Total: ${sum}`,
    amount: 'Amount',
  },
} satisfies typeof billingPt;
