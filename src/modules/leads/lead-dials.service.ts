import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { type LeadCounts, LeadDialsRepository } from './lead-dials.repository.js';

export type { LeadCounts } from './lead-dials.repository.js';

/**
 * Where leads stand with the dialler: what it decides is written here, in its transaction. Claims call
 * `move_lead_dials`, because they write attempts and leads in one statement.
 */
@Injectable()
export class LeadDialsService {
  constructor(private readonly dials: LeadDialsRepository) {}

  /** The lead waits again, and is due after so many milliseconds. */
  scheduleRetry(leadId: number, waitMs: number, tx: Tx): Promise<void> {
    return this.dials.scheduleRetry(leadId, waitMs, tx);
  }

  /** The lead was reached. Its other contacts are not called. */
  async complete(leadId: number, tx: Tx): Promise<void> {
    await this.dials.finish(leadId, 'completed', tx);
    await this.dials.dropOtherContacts(leadId, tx);
  }

  /** The lead was not reached. Its next contact is called instead. */
  async giveUp(leadId: number, tx: Tx): Promise<void> {
    await this.dials.finish(leadId, 'reached-max-retries', tx);
    await this.dials.callNextContact(leadId, tx);
  }

  /** Nobody knows whether the lead was reached, so neither it nor its other contacts are called again. */
  async abandon(leadId: number, tx: Tx): Promise<void> {
    await this.dials.finish(leadId, 'reached-max-retries', tx);
    await this.dials.dropOtherContacts(leadId, tx);
  }

  countsOf(userId: number, campaignId: number): Promise<LeadCounts> {
    return this.dials.countsOf(userId, campaignId);
  }
}
