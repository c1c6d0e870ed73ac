import type { Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { MailConfig } from '../../config/config.js';
import { Mailer, type MailMessage, MailRefusedError, MailUnavailableError } from './mailer.js';

/** Milliseconds; the last one is for a connection on which nothing happens. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

type SmtpServer = NonNullable<MailConfig['smtp']>;

/** A mail server that speaks SMTP. Each e-mail has a connection of its own, as there are few. */
export class SmtpMailer extends Mailer {
  readonly isConfigured = true;
  private transport: Promise<Transporter<SMTPTransport.SentMessageInfo>> | null = null;

  constructor(
    private readonly server: SmtpServer,
    private readonly options: Pick<SMTPTransport.Options, keyof typeof TIMEOUTS | 'tls'> = TIMEOUTS,
  ) {
    super();
  }

  async send({ to, ...content }: MailMessage): Promise<void> {
    this.transport ??= this.open();
    const transport = await this.transport;
    try {
      await transport.sendMail({
        ...content,
        from: this.server.from,
        to: { name: '', address: to },
        // Automatic answers such as "out of office" are of no use.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw meaningOf(error);
    }
  }

  /** The library is loaded with the first e-mail: most processes send none. */
  private async open(): Promise<Transporter<SMTPTransport.SentMessageInfo>> {
    const { createTransport } = await import('nodemailer');
    const { host, port, isTls, requiresStartTls, user, password } = this.server;
    return createTransport({
      host,
      port,
      secure: isTls,
      requireTLS: requiresStartTls,
      ...(user === undefined ? {} : { auth: { user, pass: password } }),
      ...this.options,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

/** Without the server's own words, which may repeat the recipient. */
function meaningOf(error: unknown): Error {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isOfMessage && typeof responseCode === 'number' && responseCode >= 500) {
    return new MailRefusedError(responseCode);
  }
  const answer = typeof responseCode === 'number' ? `, with code ${responseCode}` : '';
  return new MailUnavailableError(`the mail server did not take the e-mail (${String(code)}${answer})`);
}
