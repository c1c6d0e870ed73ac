import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../texts/catalogue.js';

export class InsufficientBalanceError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('billing.insufficient_balance'));
  }
}

export class DailySpendCapError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('billing.daily_cap'));
  }
}

/** The hold was voided meanwhile (its work took too long), so its result must not be kept. */
export class HoldExpiredError extends Error {
  override readonly name = 'HoldExpiredError';
}
