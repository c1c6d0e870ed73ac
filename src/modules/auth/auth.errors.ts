import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class BadCredentialsError extends DomainError {
  readonly kind = 'unauthorized';

  constructor() {
    super(text('auth.bad_credentials'));
  }
}

export class RegistrationClosedError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('auth.registration_closed'));
  }
}

export class SessionRequiredError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('auth.session_required'));
  }
}

/** No usable link: wrong, used, void and expired ones get the same answer. */
export class PasswordLinkNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('auth.password_link_not_found'));
  }
}

export class OwnPasswordLinkError extends DomainError {
  readonly kind = 'refused';

  constructor() {
    super(text('members.password_link_own'));
  }
}

export class SessionNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('auth.session_not_found'));
  }
}

/** The operator has named no mail server. Not an outage: to try again is of no use. */
export class EmailsNotConfiguredError extends DomainError {
  readonly kind = 'conflict';

  constructor() {
    super(text('emails.not_configured'));
  }
}

/** People sign in through the identity provider alone. */
export class PasswordSignInOffError extends DomainError {
  readonly kind = 'forbidden';

  constructor() {
    super(text('auth.password_sign_in_off'));
  }
}
