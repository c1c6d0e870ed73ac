import { DomainError } from '../../../common/errors/domain-error.js';
import { text } from '../../../i18n/catalogue.js';
import type { OidcFailure } from '../../../providers/oidc/oidc.errors.js';

/** Why a person does not come in, as the sign-in page names it. */
export type SignInProblem =
  | OidcFailure
  | 'email-missing'
  | 'email-taken'
  | 'email-unverified'
  | 'member-limit'
  | 'no-account'
  | 'no-role'
  | 'not-configured'
  | 'state';

/** Caught before it becomes an answer: the sign-in page shows the problem. */
export class SignInRefusedError extends Error {
  override readonly name = 'SignInRefusedError';

  constructor(readonly problem: SignInProblem) {
    super(`sign-in refused: ${problem}`);
  }
}

/** The confirmation was not begun in this browser, or has expired. */
export class NoPendingLinkError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('auth.oidc_no_pending_link'));
  }
}
