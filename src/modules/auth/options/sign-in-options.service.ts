import { Injectable } from '@nestjs/common';
import { OidcConfig, SecurityConfig } from '../../../config/config.js';
import { EmailsService } from '../../emails/emails.service.js';

export interface SignInOptions {
  /** Whether a person who has forgotten the password can ask for a link by e-mail. */
  readonly sendsPasswordLinks: boolean;
  readonly allowsPasswords: boolean;
  /** Whether people can sign in through an identity provider. */
  readonly hasOidc: boolean;
}

/** The ways to sign in, as the operator has configured them. */
@Injectable()
export class SignInOptionsService {
  constructor(
    private readonly emails: EmailsService,
    private readonly security: SecurityConfig,
    private readonly oidc: OidcConfig,
  ) {}

  options(): SignInOptions {
    const { allowsPasswords } = this.security;
    return {
      sendsPasswordLinks: allowsPasswords && this.emails.isConfigured,
      allowsPasswords,
      hasOidc: this.oidc.provider !== undefined,
    };
  }
}
