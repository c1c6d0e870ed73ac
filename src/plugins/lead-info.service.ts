import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../common/http/page.js';
import type { Lead, LeadStatus } from '../modules/leads/lead.entity.js';
import { LeadNotFoundError } from '../modules/leads/leads.errors.js';
import { type FullLead, LeadsService } from '../modules/leads/leads.service.js';
import { refuseUnbounded } from './page-bounds.js';

/** A person to call in a campaign. */
export interface LeadInfo {
  readonly id: number;
  readonly campaignId: number;
  readonly campaignName: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly status: LeadStatus;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Numbers that are called when the lead is not reached, in their order. */
  readonly secondaryContacts: readonly SecondaryContactInfo[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Another number of a lead. It is a lead of its own, which calls refer to. */
export interface SecondaryContactInfo {
  readonly id: number;
  /** E.164. */
  readonly phoneNumber: string;
  readonly status: LeadStatus;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a page of leads is narrowed to. */
export interface LeadInfoFilter {
  readonly status?: LeadStatus;
  readonly campaignId?: number;
  /** Any part of the number. */
  readonly phoneNumber?: string;
}

/** Leads of an account, for plugins. Take the account from the caller, the event or the tool. */
@Injectable()
export class LeadInfoService {
  constructor(private readonly leads: LeadsService) {}

  /** Null when the account has no such lead. */
  async find(userId: number, id: number): Promise<LeadInfo | null> {
    try {
      return toInfo(await this.leads.get(userId, id));
    } catch (error) {
      if (error instanceof LeadNotFoundError) return null;
      throw error;
    }
  }

  /**
   * One page, newest first.
   *
   * @throws RangeError for more than 100 rows
   */
  async page(userId: number, filter: LeadInfoFilter, page: PageRequest): Promise<PageOf<LeadInfo>> {
    refuseUnbounded(page);
    const { status, campaignId: campaign_id, phoneNumber: phone_number } = filter;
    const query = { status, campaign_id, phone_number, page: page.page, per_page: page.perPage };
    // The zone is that of days, which this filter does not have.
    const { rows, total } = await this.leads.list(userId, query, 'UTC');
    return { rows: rows.map(toInfo), total };
  }
}

function toInfo({ lead, campaign, secondaries }: FullLead): LeadInfo {
  return {
    ...toContact(lead),
    campaignId: campaign.id,
    campaignName: campaign.name,
    secondaryContacts: secondaries.map(toContact),
    createdAt: lead.createdAt,
    updatedAt: lead.updatedAt,
  };
}

function toContact({ id, phoneNumber, status, variables }: Lead): SecondaryContactInfo {
  return { id, phoneNumber, status, variables };
}
