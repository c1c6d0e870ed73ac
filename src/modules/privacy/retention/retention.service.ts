import { Injectable } from '@nestjs/common';
import { RetentionConfig } from '../../../config/config.js';
import { Handles } from '../../../queues/workers/handles.js';
import { CallPersonalDataService } from '../../calls/personal-data/call-personal-data.service.js';
import { RecordingsService } from '../../calls/recordings/recordings.service.js';
import { ConversationExpiryService } from '../../conversations/personal-data/conversation-expiry.service.js';
import { type AccountDays, type OwnDays, RetentionRepository } from './retention.repository.js';
import { sweepRetentionJob } from './sweep-retention.job.js';

const DAY_MS = 86_400_000;
const ACCOUNTS = 500;
const NONE: OwnDays = { callsDays: null, recordingsDays: null, conversationsDays: null };

/** What an account has set, and what holds: the shorter of that and what the installation has. */
export interface Retention {
  readonly own: OwnDays;
  readonly inForce: OwnDays;
}

/** How long what people said is kept. An account can keep it shorter than the installation does, and not longer. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly settings: RetentionRepository,
    private readonly calls: CallPersonalDataService,
    private readonly recordings: RecordingsService,
    private readonly conversations: ConversationExpiryService,
    private readonly config: RetentionConfig,
  ) {}

  async get(userId: number): Promise<Retention> {
    const { callsDays, recordingsDays, conversationsDays } = (await this.settings.find(userId)) ?? NONE;
    const own = { callsDays, recordingsDays, conversationsDays };
    return { own, inForce: this.inForce(own) };
  }

  async set(userId: number, days: Partial<OwnDays>): Promise<Retention> {
    await this.settings.set(userId, days);
    return this.get(userId);
  }

  /** Account by account. Safe in many processes at once. */
  @Handles(sweepRetentionJob)
  async sweep(): Promise<void> {
    let last = 0;
    for (;;) {
      const accounts = await this.settings.accountsAfter(last, ACCOUNTS);
      for (const account of accounts) await this.sweepAccount(account);
      if (accounts.length < ACCOUNTS) return;
      last = accounts.at(-1)?.userId ?? last;
    }
  }

  private async sweepAccount({ userId, ...own }: AccountDays): Promise<void> {
    const { callsDays, recordingsDays, conversationsDays } = this.inForce(own);
    if (callsDays !== null) await this.calls.emptyOld(userId, callsDays * DAY_MS);
    // Those of the installation's own age are deleted for all accounts at once.
    if (own.recordingsDays !== null && recordingsDays !== null) {
      await this.recordings.deleteOld(userId, recordingsDays * DAY_MS);
    }
    if (conversationsDays !== null) await this.conversations.deleteOld(userId, conversationsDays * DAY_MS);
  }

  private inForce({ callsDays, recordingsDays, conversationsDays }: OwnDays): OwnDays {
    const { callsMs, recordingsMs, conversationsMs } = this.config;
    return {
      callsDays: shorter(callsDays, callsMs),
      recordingsDays: shorter(recordingsDays, recordingsMs),
      conversationsDays: shorter(conversationsDays, conversationsMs),
    };
  }
}

function shorter(ownDays: number | null, installationMs: number | undefined): number | null {
  if (installationMs === undefined) return ownDays;
  return Math.min(ownDays ?? Infinity, installationMs / DAY_MS);
}
