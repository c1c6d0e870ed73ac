import { Injectable } from '@nestjs/common';
import { EmailsService } from '../../emails/emails.service.js';

export interface SignInOptions {
  /** Whether a person who has forgotten the password can ask for a link by e-mail. */
  readonly sendsPasswordLinks: boolean;
}

/** The ways to sign in, as the operator has configured them. */
@Injectable()
export class SignInOptionsService {
  constructor(private readonly emails: EmailsService) {}

  options(): SignInOptions {
    return { sendsPasswordLinks: this.emails.isConfigured };
  }
}
