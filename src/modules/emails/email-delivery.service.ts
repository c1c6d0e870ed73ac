import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadableError } from '../../common/crypto/secret-box.js';
import { Logger } from '../../common/observability/logger.js';
import { Mailer, type MailMessage, MailRefusedError } from '../../providers/mail/mailer.js';
import type { PayloadOf } from '../../queues/job-definition.js';
import { Handles } from '../../queues/workers/handles.js';
import { type EmailContent, htmlOf, plainTextOf, subjectOf } from './email-content.js';
import { type ClaimedEmail, EmailsRepository } from './emails.repository.js';
import { EmailsService, placeOf } from './emails.service.js';
import { sendEmailJob } from './send-email.job.js';
import { sweepEmailsJob } from './sweep-emails.job.js';

/** Longer than the timeouts of one attempt together. */
const LEASE_MS = 120_000;
const SWEEP_BATCH = 500;

/** Sends queued e-mails. The log names them by id: it has neither recipients nor links. */
@Injectable()
export class EmailDeliveryService {
  constructor(
    private readonly emails: EmailsRepository,
    private readonly queue: EmailsService,
    private readonly mailer: Mailer,
    private readonly secrets: SecretBox,
    private readonly logger: Logger,
  ) {}

  /** @throws MailUnavailableError after which the queue tries again */
  @Handles(sendEmailJob)
  async send({ emailId }: PayloadOf<typeof sendEmailJob>): Promise<void> {
    const claimed = await this.emails.claim(emailId, LEASE_MS);
    if (!claimed) return;
    const message = claimed.isExpired ? null : this.messageOf(claimed);
    if (!message) {
      this.logger.warn('e-mail not sent before its link ended', { emailId });
      await this.emails.finish(emailId, 'expired');
      return;
    }
    try {
      await this.mailer.send(message);
    } catch (error) {
      if (!(error instanceof MailRefusedError)) {
        await this.emails.release(emailId);
        throw error;
      }
      this.logger.warn('e-mail refused by the mail server', { emailId, code: error.code });
      await this.emails.finish(emailId, 'refused');
      return;
    }
    await this.emails.finish(emailId, 'sent');
  }

  /** Safe in many processes at once: a job that is still tried is not queued twice. */
  @Handles(sweepEmailsJob)
  async sweep(): Promise<void> {
    for (const id of await this.emails.waiting(SWEEP_BATCH)) this.queue.wake(id);
    while ((await this.emails.removeOld(SWEEP_BATCH)) === SWEEP_BATCH);
  }

  /** Null where the key of the content is lost. */
  private messageOf({ id, userId, recipient, sealedContent }: ClaimedEmail): MailMessage | null {
    try {
      const content = JSON.parse(this.secrets.open(sealedContent, placeOf({ userId, id }))) as EmailContent;
      return {
        to: recipient,
        subject: subjectOf(content),
        text: plainTextOf(content),
        html: htmlOf(content),
        messageId: `<${id}@prosa>`,
      };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
