import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type LeadCampaign, LeadCampaignsRepository } from './lead-campaigns.repository.js';
import { type LeadDetails, toNewLeads } from './lead-details.js';
import type { Variables } from './lead.entity.js';
import { LeadCampaignNotFoundError } from './leads.errors.js';
import { LeadsRepository } from './leads.repository.js';

/** What new leads of a campaign are made with. */
export interface IntakeContext {
  readonly userId: number;
  readonly campaign: LeadCampaign;
  /** Two-letter code for numbers without a country code. */
  readonly country: string;
  /** The assistant's variables, which each lead begins with. */
  readonly defaults: Variables;
  readonly duplicatesAllowed: boolean;
}

/** The one way leads come into a campaign, one by one or by the thousand. */
@Injectable()
export class LeadIntake {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly campaigns: LeadCampaignsRepository,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
  ) {}

  /** @throws LeadCampaignNotFoundError */
  async contextOf(userId: number, campaignId: number, duplicatesAllowed: boolean): Promise<IntakeContext> {
    const campaign = await this.campaigns.find(userId, campaignId);
    if (!campaign) throw new LeadCampaignNotFoundError();
    const [account, assistant] = await Promise.all([
      this.accounts.get(userId),
      campaign.assistantId === null ? null : this.assistants.find(userId, campaign.assistantId),
    ]);
    const defaults = assistant?.config.variables ?? {};
    return { userId, campaign, country: account.defaultCountry, defaults, duplicatesAllowed };
  }

  /** Which of the numbers may not come in, because the campaign has them. */
  async findRefused(
    { userId, campaign, duplicatesAllowed }: IntakeContext,
    phoneNumbers: readonly string[],
    tx: Tx,
  ): Promise<Set<string>> {
    return duplicatesAllowed
      ? new Set<string>()
      : this.leads.findTaken(userId, campaign.id, phoneNumbers, { tx });
  }

  /**
   * Adds leads with their secondary contacts, all or none, and returns the ids of the leads themselves.
   *
   * @throws DuplicateLeadError when another request added one of the numbers meanwhile
   * @throws LeadCampaignNotFoundError when the campaign was deleted meanwhile
   */
  async add(
    { userId, campaign, defaults, duplicatesAllowed }: IntakeContext,
    details: readonly LeadDetails[],
    tx: Tx,
  ): Promise<number[]> {
    const rows = toNewLeads(details, defaults);
    const ids = await this.leads.add(userId, campaign.id, rows, duplicatesAllowed, tx);
    return ids.filter((_id, at) => rows[at]?.parent === null);
  }
}
