import type { LedgerKind } from '../ledger-entry.entity.js';

/**
 * What the SQL function `hold_money` takes: how much is set aside, and within which limits. Amounts are micro-dollars.
 * Functions of other modules pass it on as it is.
 */
export interface HoldTerms {
  /** The new hold's id. */
  readonly id: string;
  readonly kind: LedgerKind;
  readonly amount: number;
  /** Of the account and day: of the owner's own work, or of everything where a visitor spends. Null: none. */
  readonly totalCap: number | null;
  /** Whose visitor spends; left out for the owner's own work, as are the limits on visitors below. */
  readonly assistantId?: number;
  readonly assistantCap?: number;
  readonly messagesPerHour?: number;
  /** Of all visitors of the account, where the account has no cap of its own. */
  readonly visitorsCap?: number;
}
