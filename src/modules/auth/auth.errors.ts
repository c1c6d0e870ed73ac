import { domainError } from '../../common/errors/domain-error.js';

export class BadCredentialsError extends domainError('unauthorized', 'auth.bad_credentials') {}

export class RegistrationClosedError extends domainError('forbidden', 'auth.registration_closed') {}

export class SessionRequiredError extends domainError('refused', 'auth.session_required') {}

/** No usable link: wrong, used, void and expired ones get the same answer. */
export class PasswordLinkNotFoundError extends domainError('not-found', 'auth.password_link_not_found') {}

export class OwnPasswordLinkError extends domainError('refused', 'members.password_link_own') {}

export class SessionNotFoundError extends domainError('not-found', 'auth.session_not_found') {}

/** The operator has named no mail server. Not an outage: to try again is of no use. */
export class EmailsNotConfiguredError extends domainError('conflict', 'emails.not_configured') {}

/** People sign in through the identity provider alone. */
export class PasswordSignInOffError extends domainError('forbidden', 'auth.password_sign_in_off') {}
