import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantActivationService } from '../assistants/activation/assistant-activation.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { type AccountScope, CampaignRulesService } from './campaign-rules.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import type { Campaign } from './campaign.entity.js';
import {
  CampaignAssistantNotFoundError,
  CampaignLimitError,
  CampaignNotFoundError,
} from './campaigns.errors.js';
import { CampaignsRepository } from './campaigns.repository.js';
import type { CreateCampaignRequest, UpdateCampaignRequest } from './dto/campaign.request.js';

/** The list has no pages, so this is its end. */
const MAX_LISTED = 1_000;

/** A campaign with the ids of the numbers it calls from. */
export interface CampaignDetails {
  readonly campaign: Campaign;
  readonly phoneNumberIds: readonly number[];
}

@Injectable()
export class CampaignsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly rules: CampaignRulesService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly activation: AssistantActivationService,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /** The newest thousand. */
  async list(userId: number): Promise<CampaignDetails[]> {
    return this.withNumbers(userId, await this.campaigns.listOf(userId, MAX_LISTED));
  }

  /** What campaigns are called; those that are gone are left out. */
  namesOf(userId: number, ids: readonly number[]): Promise<Map<number, string>> {
    return this.campaigns.namesOf(userId, ids);
  }

  /** @throws CampaignNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<CampaignDetails> {
    const campaign = await this.campaigns.find(userId, id, tx);
    const [details] = campaign ? await this.withNumbers(userId, [campaign], tx) : [];
    if (!details) throw new CampaignNotFoundError();
    return details;
  }

  /** @throws CampaignAssistantNotFoundError | ValidationFailedError | CampaignLimitError */
  async create(userId: number, request: CreateCampaignRequest): Promise<CampaignDetails> {
    const scope = await this.rules.scopeOf(userId);
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(scope, request, tx),
        referenceOf: ({ campaign }) => String(campaign.id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /**
   * Changes what was sent.
   *
   * @throws CampaignNotFoundError | CampaignAssistantNotFoundError | ValidationFailedError
   */
  async update(userId: number, id: number, request: UpdateCampaignRequest): Promise<CampaignDetails> {
    const scope = await this.rules.scopeOf(userId);
    return this.transactions.run(async (tx) => {
      const current = (await this.campaigns.findLocked(userId, id, tx)) ?? CampaignNotFoundError.throw();
      const { assistantId: before } = current;
      Object.assign(current, await this.rules.update(scope, current, request, tx));
      const campaign = (await this.campaigns.save(current, tx)) ?? CampaignAssistantNotFoundError.throw();
      if (campaign.assistantId !== before) await this.useAssistant(campaign, tx);
      if (request.phone_number_ids) return this.setNumbers(campaign, request.phone_number_ids, tx);
      const numbers = await this.campaigns.phoneNumberIdsOf(userId, [id], tx);
      return { campaign, phoneNumberIds: numbers.get(id) ?? [] };
    });
  }

  /** Stops all campaigns of the account, and ends their calls. */
  async haltAll(userId: number): Promise<void> {
    for (const id of await this.campaigns.running(userId)) await this.lifecycle.halt(userId, id);
  }

  private async add(scope: AccountScope, request: CreateCampaignRequest, tx: Tx): Promise<CampaignDetails> {
    const { userId } = scope;
    const settings = await this.rules.create(scope, request, tx);
    const { maxCampaigns } = await this.accounts.lockLimits(userId, tx);
    if ((await this.campaigns.countOf(userId, tx)) >= maxCampaigns) {
      throw new CampaignLimitError(maxCampaigns);
    }
    const campaign = await this.campaigns.add(userId, settings, tx);
    if (!campaign) throw new CampaignAssistantNotFoundError();
    return this.setNumbers(campaign, request.phone_number_ids ?? [], tx);
  }

  /** A running campaign continues with its new assistant, as if it were started with it. */
  private async useAssistant({ userId, assistantId, status }: Campaign, tx: Tx): Promise<void> {
    if (status !== 'in-progress' || assistantId === null) return;
    await this.activation.use(userId, assistantId, 'campaign-started', tx);
  }

  private async setNumbers(
    campaign: Campaign,
    phoneNumberIds: readonly number[],
    tx: Tx,
  ): Promise<CampaignDetails> {
    const { userId, id } = campaign;
    if (!(await this.campaigns.setPhoneNumbers(userId, id, phoneNumberIds, tx))) {
      throw ValidationFailedError.of('phone_number_ids', 'validation.exists');
    }
    return { campaign, phoneNumberIds };
  }

  private async withNumbers(
    userId: number,
    campaigns: readonly Campaign[],
    tx?: Tx,
  ): Promise<CampaignDetails[]> {
    const ids = campaigns.map(({ id }) => id);
    const numbers = await this.campaigns.phoneNumberIdsOf(userId, ids, tx);
    return campaigns.map((campaign) => ({ campaign, phoneNumberIds: numbers.get(campaign.id) ?? [] }));
  }
}
