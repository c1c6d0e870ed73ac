import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import type { VisitorLimitName } from './spend/visitor-budget.js';

export class InsufficientBalanceError extends domainError('refused', 'billing.insufficient_balance') {}

export class DailySpendCapError extends domainError('refused', 'billing.daily_cap') {}

/** Whether a price could not be held for want of money, or because the account has spent what it may in a day. */
export function isMoneyShortage(error: unknown): error is InsufficientBalanceError | DailySpendCapError {
  return error instanceof InsufficientBalanceError || error instanceof DailySpendCapError;
}

/** Visitors have used up what they may until `retryAfterSeconds` have passed. */
export class VisitorLimitError extends DomainError {
  readonly kind = 'too-many';

  /** @param value the limit: a number of things, or micro-dollars */
  constructor(
    readonly limit: VisitorLimitName,
    readonly value: number,
    override readonly retryAfterSeconds: number,
  ) {
    super(text('visitors.limit_reached', { seconds: retryAfterSeconds }));
  }
}

/** The hold was voided in the meantime (its work took too long), so its result must not be kept. */
export class HoldExpiredError extends Error {
  override readonly name = 'HoldExpiredError';
}
