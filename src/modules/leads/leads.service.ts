import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { type PageOf, pageRequestOf } from '../../common/http/page.js';
import { toE164 } from '../../common/phone/e164.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { text } from '../../i18n/catalogue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import {
  type CreateLeadRequest,
  type LeadsQuery,
  toLeadFilter,
  type UpdateLeadRequest,
} from './dto/lead.request.js';
import { type LeadCampaign, LeadCampaignsRepository } from './lead-campaigns.repository.js';
import { type LeadDetails, numbersOf } from './lead-details.js';
import { LeadDialsService } from './lead-dials.service.js';
import { type IntakeContext, LeadIntakeService } from './lead-intake.service.js';
import type { Lead, Variables } from './lead.entity.js';
import {
  DuplicateLeadError,
  InvalidPhoneNumberError,
  LeadBeingCalledError,
  LeadCampaignNotFoundError,
  LeadNotFoundError,
} from './leads.errors.js';
import { type LeadChanges, LeadsRepository } from './leads.repository.js';

const DELETE_BATCH = 10_000;
/** Merges add up: this is as far as they may go. */
const MAX_VARIABLES_BYTES = 262_144;

/** A lead with the data that lists show with it. */
export interface FullLead {
  readonly lead: Lead;
  readonly campaign: Pick<LeadCampaign, 'id' | 'name'>;
  readonly secondaries: readonly Lead[];
}

@Injectable()
export class LeadsService {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly campaigns: LeadCampaignsRepository,
    private readonly intake: LeadIntakeService,
    private readonly dials: LeadDialsService,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /** @param zone in which the days of the query are days */
  async list(userId: number, query: LeadsQuery, zone: string): Promise<PageOf<FullLead>> {
    const { rows, total } = await this.leads.pageOf(userId, toLeadFilter(query, zone), {
      ...pageRequestOf(query),
      sort: query.sort,
    });
    return { rows: await this.complete(userId, rows), total };
  }

  /** @throws LeadNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<FullLead> {
    const family = (await this.leads.findFamily(userId, id, tx)) ?? LeadNotFoundError.throw();
    const { lead, campaignName, secondaries } = family;
    return { lead, campaign: { id: lead.campaignId, name: campaignName }, secondaries };
  }

  /** @throws LeadCampaignNotFoundError | ValidationFailedError | DuplicateLeadError */
  async create(userId: number, request: CreateLeadRequest): Promise<FullLead> {
    const into = await this.intake.contextOf(userId, request.campaign_id, request.allow_dupplicate ?? false);
    const details = toDetails(request, into.country);
    const numbers = numbersOf(details);
    if (!into.duplicatesAllowed && new Set(numbers).size < numbers.length) throw new DuplicateLeadError();
    return this.transactions.runWithVerifiedCommit((tx) =>
      this.effect.once(tx, {
        make: () => this.add(into, details, tx),
        referenceOf: ({ lead }) => String(lead.id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /**
   * Changes what was sent. A secondary contact that goes to another campaign leaves its parent.
   *
   * @throws LeadNotFoundError | LeadCampaignNotFoundError | InvalidPhoneNumberError | DuplicateLeadError
   * @throws LeadBeingCalledError when a secondary contact is to leave its parent
   */
  async update(userId: number, id: number, request: UpdateLeadRequest): Promise<void> {
    if (request.campaign_id === undefined && request.phone_number === undefined) {
      if (request.variables) return this.mergeVariables(userId, id, request.variables);
      if (!(await this.leads.find(userId, id))) throw new LeadNotFoundError();
      return;
    }
    const lead = (await this.leads.find(userId, id)) ?? LeadNotFoundError.throw();
    const changes = await this.changesOf(userId, request);
    await this.transactions.run(async (tx) => {
      if (!lead.duplicateAllowed) await this.refuseDuplicate(lead, changes, tx);
      const leaves = lead.parentId !== null && (changes.campaignId ?? lead.campaignId) !== lead.campaignId;
      if (leaves && !(await this.dials.release(userId, id, tx))) throw new LeadBeingCalledError('move');
      const updated = (await this.leads.update(userId, id, changes, tx)) ?? LeadNotFoundError.throw();
      if (changes.variables && updated.variablesBytes > MAX_VARIABLES_BYTES) {
        throw ValidationFailedError.of('variables', 'validation.too_large');
      }
    });
  }

  /** Deletes a lead and its secondary contacts. @throws LeadNotFoundError | LeadBeingCalledError */
  delete(userId: number, id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      if (!(await this.dials.release(userId, id, tx))) throw new LeadBeingCalledError('delete');
      if (!(await this.leads.delete(userId, id, tx))) throw new LeadNotFoundError();
    });
  }

  /** Whether the campaign has a lead that was not called to its end. */
  hasOpen(userId: number, campaignId: number, tx?: Tx): Promise<boolean> {
    return this.leads.hasOpen(userId, campaignId, tx);
  }

  /** Deletes the leads of a campaign in batches, so that no statement runs for long. */
  async deleteAllOf(userId: number, campaignId: number): Promise<void> {
    while (await this.leads.deleteSome(userId, campaignId, DELETE_BATCH));
  }

  private async add(into: IntakeContext, details: LeadDetails, tx: Tx): Promise<FullLead> {
    const [lead, ...secondaries] = await this.intake.addFamily(into, details, tx);
    if (!lead) throw new Error('a lead was written and did not come back');
    return { lead, campaign: into.campaign, secondaries };
  }

  private async mergeVariables(userId: number, id: number, variables: Variables): Promise<void> {
    if (await this.leads.mergeVariables(userId, id, variables, MAX_VARIABLES_BYTES)) return;
    if (!(await this.leads.find(userId, id))) throw new LeadNotFoundError();
    throw ValidationFailedError.of('variables', 'validation.too_large');
  }

  private async changesOf(userId: number, request: UpdateLeadRequest): Promise<LeadChanges> {
    const { campaign_id: campaignId, phone_number: phone, variables } = request;
    if (campaignId !== undefined && !(await this.campaigns.find(userId, campaignId))) {
      throw new LeadCampaignNotFoundError();
    }
    if (phone === undefined) return { campaignId, variables };
    const { defaultCountry } = await this.accounts.get(userId);
    const phoneNumber = toE164(phone, defaultCountry);
    if (phoneNumber === null) throw new InvalidPhoneNumberError();
    return { campaignId, phoneNumber, variables };
  }

  private async refuseDuplicate(lead: Lead, changes: LeadChanges, tx: Tx): Promise<void> {
    const { campaignId = lead.campaignId, phoneNumber = lead.phoneNumber } = changes;
    const isMoved = campaignId !== lead.campaignId;
    if (!isMoved && phoneNumber === lead.phoneNumber) return;
    const along = isMoved ? await this.leads.findSecondaries(lead.userId, [lead.id], tx) : [];
    const numbers = [phoneNumber, ...along.map((contact) => contact.phoneNumber)];
    const taken = await this.leads.findTaken(lead.userId, campaignId, numbers, { except: lead.id, tx });
    if (taken.size > 0) throw new DuplicateLeadError();
  }

  private async complete(userId: number, leads: readonly Lead[]): Promise<FullLead[]> {
    if (leads.length === 0) return [];
    const campaignIds = [...new Set(leads.map(({ campaignId }) => campaignId))];
    const leadIds = leads.map(({ id }) => id);
    const campaigns = await this.campaigns.findMany(userId, campaignIds);
    const secondaries = await this.leads.findSecondaries(userId, leadIds);
    const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    // A campaign deleted since the leads were read takes them with it.
    return leads.flatMap((lead) => {
      const campaign = campaignOf.get(lead.campaignId);
      return campaign
        ? [{ lead, campaign, secondaries: secondaries.filter(({ parentId }) => parentId === lead.id) }]
        : [];
    });
  }
}

/** @throws ValidationFailedError naming every number that is none */
function toDetails(request: CreateLeadRequest, country: string): LeadDetails {
  const issues: FieldIssue[] = [];
  const numberOf = (input: string, field: string): string => {
    const phoneNumber = toE164(input, country);
    if (phoneNumber === null) issues.push({ field, text: text('leads.phone_format', { field }) });
    return phoneNumber ?? '';
  };
  const details = {
    phoneNumber: numberOf(request.phone_number, 'phone_number'),
    variables: request.variables ?? {},
    secondaryContacts: (request.secondary_contacts ?? []).map((contact, at) => ({
      phoneNumber: numberOf(contact.phone_number, `secondary_contacts.${at}.phone_number`),
      variables: contact.variables ?? {},
    })),
  };
  ValidationFailedError.throwIfAny(issues);
  return details;
}
