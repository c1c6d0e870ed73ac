/** An e-mail as it is handed to the server: both forms have the same content. */
export interface MailMessage {
  /** One address, without a name. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same in each attempt, so that a receiver recognises a repetition. */
  readonly messageId: string;
}

/** The server refuses the e-mail for good: the address does not exist, or the content is not accepted. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';

  /** @param code of SMTP, from 500 to 599 */
  constructor(readonly code: number) {
    super(`the mail server refuses the e-mail for good, with code ${code}`);
  }
}

/** The server did not take the e-mail. It may do so later. The message names no recipient and has no content. */
export class MailUnavailableError extends Error {
  override readonly name = 'MailUnavailableError';
}

/** The way out for e-mails. */
export abstract class Mailer {
  /** False where the operator has named no server: no e-mail is ever sent. */
  abstract readonly isConfigured: boolean;

  /**
   * Hands an e-mail to the server.
   *
   * @throws MailRefusedError | MailUnavailableError
   */
  abstract send(message: MailMessage): Promise<void>;
}
