import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import { verificationText } from './verification.texts.js';
import type { TransferTarget } from '../../runtime/call/transfers/transfer-policy.js';

export class VerificationNotFoundError extends domainError(
  'not-found',
  verificationText('verifications.not_found'),
) {}

/** There is no carrier here that an account could not turn to itself: nothing would be proven. */
export class NothingProvesNumbersError extends domainError(
  'refused',
  verificationText('verifications.no_carrier'),
) {}

const REFUSED: Readonly<Record<Extract<TransferTarget, { refused: string }>['refused'], TextKey>> = {
  'no-number': 'calls.bad_number',
  country: verificationText('verifications.country'),
  'kind-of-number': verificationText('verifications.kind_of_number'),
};

/** Calls do not go to the number. */
export class NumberNotVerifiableError extends DomainError {
  readonly kind = 'refused';

  constructor(reason: keyof typeof REFUSED) {
    super(text(REFUSED[reason]));
  }
}

/** The account, or another one, has such a call under way. */
export class VerificationUnderWayError extends domainError(
  'conflict',
  verificationText('verifications.under_way'),
) {}

/** No code is awaited: it was confirmed, the call has failed, or it was cancelled. */
export class NoCodeAwaitedError extends domainError(
  'conflict',
  verificationText('verifications.no_code_awaited'),
) {}

export class CodeExpiredError extends domainError(
  'conflict',
  verificationText('verifications.code_expired'),
) {}

export class WrongCodeError extends DomainError {
  readonly kind = 'refused';

  /** @param triesLeft none: only another call helps */
  constructor(triesLeft: number) {
    super(
      triesLeft === 0
        ? text(verificationText('verifications.no_tries_left'))
        : text(verificationText('verifications.wrong_code'), { triesLeft }),
    );
  }
}
