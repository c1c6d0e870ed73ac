/** What the deletion of an account leaves alone, or ends by itself: the ledger, the wallet, orders at the carrier. */
export const NOT_TO_DELETE: readonly string[] = [
  'account_deletions',
  'carrier_orders',
  'ledger_entries',
  'wallets',
];

/** The one whose rows are accounts. */
export const ACCOUNT_TABLE = 'users';
