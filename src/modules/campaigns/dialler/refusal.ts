import { DailySpendCapError, InsufficientBalanceError } from '../../billing/billing.errors.js';
import {
  DoNotCallError,
  OutsideCallingHoursError,
  ParallelCallsLimitError,
} from '../../calls/calls.errors.js';

/**
 * Whom a refused reservation concerns. `never`: this number is not called at all. `later`: this number, at this hour.
 * `tenant`: nobody of the account can be called now. `other`: the campaign, for a reason that is not foreseen.
 */
export type Refusal = 'never' | 'later' | 'tenant' | 'other';

export function refusalOf(error: unknown): Refusal {
  if (error instanceof DoNotCallError) return 'never';
  if (error instanceof OutsideCallingHoursError) return 'later';
  const isOfAccount = [InsufficientBalanceError, DailySpendCapError, ParallelCallsLimitError].some(
    (type) => error instanceof type,
  );
  return isOfAccount ? 'tenant' : 'other';
}
