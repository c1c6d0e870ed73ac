import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { type CampaignIntake, LeadCampaignsRepository } from './lead-campaigns.repository.js';
import { type LeadDetails, toNewLeads } from './lead-details.js';
import type { Lead } from './lead.entity.js';
import { LeadCampaignNotFoundError } from './leads.errors.js';
import { LeadsRepository } from './leads.repository.js';
import { NewLeadsRepository } from './new-leads.repository.js';

/** What new leads of a campaign are made with. */
export interface IntakeContext extends CampaignIntake {
  readonly userId: number;
  readonly duplicatesAllowed: boolean;
}

/** The one way leads come into a campaign, one by one or by the thousand. */
@Injectable()
export class LeadIntakeService {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly newLeads: NewLeadsRepository,
    private readonly campaigns: LeadCampaignsRepository,
  ) {}

  /** @throws LeadCampaignNotFoundError */
  async contextOf(userId: number, campaignId: number, duplicatesAllowed: boolean): Promise<IntakeContext> {
    const intake = (await this.campaigns.findIntake(userId, campaignId)) ?? LeadCampaignNotFoundError.throw();
    return { userId, ...intake, duplicatesAllowed };
  }

  /** Which of the numbers may not come in, because the campaign has them. */
  async findRefused(
    { userId, campaign, duplicatesAllowed }: IntakeContext,
    phoneNumbers: readonly string[],
    tx?: Tx,
  ): Promise<Set<string>> {
    return duplicatesAllowed
      ? new Set<string>()
      : this.leads.findTaken(userId, campaign.id, phoneNumbers, { tx });
  }

  /**
   * Adds leads with their secondary contacts, all or none, and returns the ids of the leads themselves.
   *
   * @throws DuplicateLeadError when another request has added one of the numbers since
   * @throws LeadCampaignNotFoundError when the campaign has been deleted since
   */
  async add(
    { userId, campaign, defaults, duplicatesAllowed }: IntakeContext,
    details: readonly LeadDetails[],
    tx: Tx,
  ): Promise<number[]> {
    const rows = toNewLeads(details, defaults);
    const ids = await this.newLeads.add(userId, campaign.id, rows, duplicatesAllowed, tx);
    return ids.filter((_id, at) => rows[at]?.parent === null);
  }

  /**
   * Adds one lead with its secondary contacts, and returns them, the lead first.
   *
   * @throws DuplicateLeadError | LeadCampaignNotFoundError
   */
  addFamily(
    { userId, campaign, defaults, duplicatesAllowed }: IntakeContext,
    details: LeadDetails,
    tx: Tx,
  ): Promise<readonly Lead[]> {
    return this.newLeads.addFamily(
      userId,
      campaign.id,
      toNewLeads([details], defaults),
      duplicatesAllowed,
      tx,
    );
  }
}
