import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecurityConfig } from '#src/config/config.js';
import type { PayloadOf } from '#src/queues/job-definition.js';
import { JobsService } from '#src/queues/jobs.service.js';
import { Handles } from '#src/queues/workers/handles.js';
import { EmailsService } from '../../../emails/emails.service.js';
import { EmailsNotConfiguredError, PasswordSignInOffError } from '../../auth.errors.js';
import { PasswordEmailsService } from '../password-emails.service.js';
import { answerPasswordRequestJob } from './answer-password-request.job.js';
import { PasswordRequestsRepository } from './password-requests.repository.js';
import { sweepPasswordRequestsJob } from './sweep-password-requests.job.js';

/** A person who waits longer has asked again. */
const KEPT_MS = 3_600_000;
const SWEEP_BATCH = 500;

/** Requests of people who have forgotten their password. The answer says nothing about whether the e-mail is known. */
@Injectable()
export class PasswordRequestsService {
  constructor(
    private readonly requests: PasswordRequestsRepository,
    private readonly emails: EmailsService,
    private readonly passwordEmails: PasswordEmailsService,
    private readonly jobs: JobsService,
    private readonly security: SecurityConfig,
  ) {}

  /** @throws PasswordSignInOffError | EmailsNotConfiguredError */
  async request(email: string): Promise<void> {
    if (!this.security.allowsPasswords) throw new PasswordSignInOffError();
    if (!this.emails.isConfigured) throw new EmailsNotConfiguredError();
    this.wake(await this.requests.add({ id: randomUUID(), email: email.trim().toLowerCase() }));
  }

  @Handles(answerPasswordRequestJob)
  async answer({ requestId }: PayloadOf<typeof answerPasswordRequestJob>): Promise<void> {
    const email = await this.requests.find(requestId);
    if (email === null) return;
    await this.passwordEmails.sendRequested(email, (tx) => this.requests.delete(requestId, tx));
    await this.requests.delete(requestId);
  }

  /** Safe in many processes at once. */
  @Handles(sweepPasswordRequestsJob)
  async sweep(): Promise<void> {
    await this.requests.removeOld(KEPT_MS);
    for (const id of await this.requests.waiting(SWEEP_BATCH)) this.wake(id);
  }

  private wake(requestId: string): void {
    this.jobs.wake(answerPasswordRequestJob, { requestId }, { id: `password-request-${requestId}` });
  }
}
