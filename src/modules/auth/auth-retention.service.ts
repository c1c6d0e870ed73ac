import { Injectable } from '@nestjs/common';
import { RetentionConfig } from '../../config/config.js';
import { Handles } from '../../queues/workers/handles.js';
import { PasswordLinksRepository } from './password-links/password-links.repository.js';
import { LoginBackoffRepository } from './passwords/login-backoff.repository.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { sweepLoginsJob } from './passwords/sweep-logins.job.js';

const BATCH = 1_000;
const DAY_MS = 86_400_000;

/** Deletes sessions and links that have ended, counts of failed logins that mean nothing any more, and addresses not seen for long. */
@Injectable()
export class AuthRetentionService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly backoffs: LoginBackoffRepository,
    private readonly links: PasswordLinksRepository,
    private readonly retention: RetentionConfig,
  ) {}

  /** Safe in many processes at once. */
  @Handles(sweepLoginsJob)
  async sweep(): Promise<void> {
    while ((await this.sessions.removeExpired(BATCH)) === BATCH);
    while ((await this.links.removeOld(BATCH)) === BATCH);
    while ((await this.backoffs.removeBackoffs(DAY_MS, BATCH)) === BATCH);
    while ((await this.backoffs.removeAddresses(this.retention.knownAddressesMs, BATCH)) === BATCH);
  }
}
