import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import type { LeadRefusal } from './lead.entity.js';
import { type LeadCounts, LeadDialsRepository } from './lead-dials.repository.js';

export type { LeadCounts, LeadStep } from './lead-dials.repository.js';
export type { LeadRefusal } from './lead.entity.js';

/**
 * Where leads stand with the dialler: what it decides is written here, in its transaction. Claims call `move_lead_dials`,
 * and the ends of attempts `step_lead_dials`, because they write attempts and leads in one statement.
 */
@Injectable()
export class LeadDialsService {
  constructor(private readonly dials: LeadDialsRepository) {}

  /** The lead waits again, and is due after so many milliseconds. */
  scheduleRetries(leadIds: readonly number[], waitMs: number, tx: Tx): Promise<void> {
    return this.dials.step(leadIds, 'retry', waitMs, tx);
  }

  /** The lead was not reached. Its next contact is called instead. */
  fail(leadId: number, tx: Tx): Promise<void> {
    return this.dials.step([leadId], 'give-up', null, tx);
  }

  /** The lead may never be called, and keeps the reason. Its next contact is called instead. */
  async refuse(leadId: number, reason: LeadRefusal, tx: Tx): Promise<void> {
    await this.dials.step([leadId], 'give-up', null, tx);
    await this.dials.setRefusal(leadId, reason, tx);
  }

  /**
   * Locks a lead that is about to be deleted, or to leave its parent, and starts the next contact: otherwise the
   * contacts after it would never be called. False while it or a secondary contact of it is being called; then it
   * must stay.
   */
  async release(userId: number, leadId: number, tx: Tx): Promise<boolean> {
    const { isCalling } = await this.dials.lockFamily(userId, leadId, tx);
    if (!isCalling) await this.dials.handOnTurn(userId, leadId, tx);
    return !isCalling;
  }

  /** When the next lead of the campaign is due; null when one is due now, or none waits. */
  findNextDue(userId: number, campaignId: number): Promise<Date | null> {
    return this.dials.findNextDue(userId, campaignId);
  }

  countsOf(userId: number, campaignId: number): Promise<LeadCounts> {
    return this.dials.countsOf(userId, campaignId);
  }
}
