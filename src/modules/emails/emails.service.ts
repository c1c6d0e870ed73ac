import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { Mailer } from '../../providers/mail/mailer.js';
import { JobsService } from '../../queues/jobs.service.js';
import type { EmailContent } from './email-content.js';
import { type DailyLimits, EmailsRepository } from './emails.repository.js';
import { sendEmailJob } from './send-email.job.js';

/** Far above what accounts need, and little enough that an account is no tool to flood strangers. */
const DAILY_LIMITS: DailyLimits = { perAccount: 200, perRecipient: 10 };

export interface EmailWish {
  /** The account in whose name it is sent. */
  readonly userId: number;
  /** An e-mail address that was checked. */
  readonly recipient: string;
  readonly content: EmailContent;
  /** When its link ends: it is not sent any more. */
  readonly expiresAt: Date;
  /** For a person of the account, whom invitations of other accounts must not cut off. */
  readonly isToOwnPerson?: boolean;
}

/** Queues e-mails. A worker sends them: no request waits for a mail server. */
@Injectable()
export class EmailsService {
  constructor(
    private readonly emails: EmailsRepository,
    private readonly mailer: Mailer,
    private readonly secrets: SecretBox,
    private readonly jobs: JobsService,
    private readonly limits: LimitsConfig,
  ) {}

  /** False where the operator has named no mail server. */
  get isConfigured(): boolean {
    return this.mailer.isConfigured;
  }

  /**
   * Queues an e-mail in the transaction that makes its link. After the commit, pass the id to {@link wake}.
   *
   * @returns null where no mail server is configured, or the account or the recipient has had too many within a day
   */
  async enqueue(
    { userId, recipient, content, expiresAt, isToOwnPerson = false }: EmailWish,
    tx: Tx,
  ): Promise<string | null> {
    if (!this.isConfigured) return null;
    const id = randomUUID();
    const sealedContent = this.secrets.seal(JSON.stringify(content), placeOf({ userId, id }));
    const limits = this.limits.enabled ? DAILY_LIMITS : null;
    const email = { id, userId, recipient: recipient.toLowerCase(), sealedContent, expiresAt, isToOwnPerson };
    return (await this.emails.add(email, limits, tx)) ? id : null;
  }

  /** Has a worker send it soon. Null, for an e-mail that was not queued, is left alone. */
  wake(id: string | null): void {
    if (id !== null) this.jobs.wake(sendEmailJob, { emailId: id }, { id: `email-${id}` });
  }
}

export function placeOf({ userId, id }: { readonly userId: number; readonly id: string }) {
  return { userId, column: 'emails.content', rowId: id };
}
