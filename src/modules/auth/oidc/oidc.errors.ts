import { domainError } from '../../../common/errors/domain-error.js';
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
export class NoPendingLinkError extends domainError('not-found', 'auth.oidc_no_pending_link') {}
