import { Mailer, MailUnavailableError } from './mailer.js';

/** An installation without a mail server. */
export class NoMailer extends Mailer {
  readonly isConfigured = false;

  async send(): Promise<void> {
    throw new MailUnavailableError('SMTP_URL is not set any more');
  }
}
