import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { dialCampaignsJob } from './dialler/dial-campaigns.job.js';
import { endCallsJob } from '../active-calls/ends/end-calls.job.js';
import { JobsService } from '../../queues/jobs.service.js';
import { AssistantActivationService } from '../assistants/activation/assistant-activation.service.js';
import { EndRequestsService } from '../active-calls/ends/end-requests.service.js';
import { LeadsService } from '../leads/leads.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { campaignCompletedPayload } from './campaign-completed-payload.js';
import { CampaignStartChecksService } from './campaign-start-checks.service.js';
import { type CampaignStatus, mayMove } from './campaign-status.js';
import type { Campaign } from './campaign.entity.js';
import { CampaignMoveRefusedError, CampaignNotFoundError } from './campaigns.errors.js';
import { CampaignsRepository } from './campaigns.repository.js';
import type { UpdateCampaignStatusRequest } from './dto/campaign.request.js';

/** Starts, stops and completes campaigns: the only writer of their status. */
@Injectable()
export class CampaignLifecycleService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly leads: LeadsService,
    private readonly startChecks: CampaignStartChecksService,
    private readonly activation: AssistantActivationService,
    private readonly endRequests: EndRequestsService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts or stops; what is so already stays so. A start makes an assistant active that was never used. A stop ends running
   * calls as well.
   *
   * @throws CampaignNotFoundError | CampaignMoveRefusedError
   */
  async switch(userId: number, { campaign_id: id, action }: UpdateCampaignStatusRequest): Promise<Campaign> {
    const target: CampaignStatus = action === 'start' ? 'in-progress' : 'stopped';
    for (;;) {
      const campaign = await this.find(userId, id);
      if (campaign.status === target) return campaign;
      if (action === 'start') await this.startChecks.assertStartable(campaign);
      const moved = await this.transition(campaign, target);
      if (moved) {
        this.follow(moved);
        return moved;
      }
      // Another request was faster: what it made of the campaign decides anew.
    }
  }

  /** Stops the campaign if it runs. @throws CampaignNotFoundError */
  async halt(userId: number, id: number): Promise<void> {
    const campaign = await this.find(userId, id);
    if (campaign.status !== 'in-progress') return;
    const moved = await this.transition(campaign, 'stopped');
    if (moved) this.follow(moved);
  }

  /** Completes a running campaign that has no leads left to call, unless it is set to wait for more, or is deleted by now. */
  async completeIfDone(userId: number, id: number): Promise<void> {
    const running = await this.campaigns.find(userId, id);
    if (!running || !completes(running) || (await this.leads.hasOpen(userId, id))) return;
    const isEventWanted = await this.transactions.run(async (tx) => {
      // Leads that are being added hold the campaign; those that are committed by now are seen by the second look.
      const campaign = await this.campaigns.findClosedToLeads(userId, id, tx);
      if (!campaign || !completes(campaign) || (await this.leads.hasOpen(userId, id, tx))) return false;
      const completed = await this.move(campaign, 'completed', tx);
      return completed !== null && this.publishCompleted(completed, tx);
    });
    if (isEventWanted) this.webhooks.wake();
  }

  /** False when no webhook wants it. */
  private publishCompleted(campaign: Campaign, tx: Tx): Promise<boolean> {
    const { userId, id } = campaign;
    return this.webhooks.publish(
      { userId, kind: 'campaign.completed', subjectId: String(id), data: campaignCompletedPayload(campaign) },
      tx,
    );
  }

  /**
   * The one way a status changes: by the table, and only from the status that `campaign` was read with. Null when
   * that has changed since.
   *
   * @throws CampaignMoveRefusedError
   */
  async transition(campaign: Campaign, to: CampaignStatus): Promise<Campaign | null> {
    return this.transactions.run((tx) => this.move(campaign, to, tx));
  }

  private async move(campaign: Campaign, to: CampaignStatus, tx: Tx): Promise<Campaign | null> {
    if (!mayMove(campaign.status, to)) throw new CampaignMoveRefusedError(campaign, 'campaigns.move_refused');
    const moved = await this.campaigns.moveStatus(campaign, to, tx);
    if (moved && to === 'in-progress') await this.activateAssistant(moved, campaign, tx);
    // With the status, so that a crash leaves no call behind, and a start that follows at once ends none of its own.
    if (moved && to === 'stopped') await this.endRequests.requestForCampaign(moved.userId, moved.id, tx);
    return moved;
  }

  /** Its owner may have deactivated the assistant since the campaign was looked at: then nothing starts. */
  private async activateAssistant(
    { userId, assistantId }: Campaign,
    before: Campaign,
    tx: Tx,
  ): Promise<void> {
    if (assistantId === null) throw new CampaignMoveRefusedError(before, 'campaigns.assistant_missing');
    const isActive = await this.activation.use(userId, assistantId, 'campaign-started', tx);
    if (!isActive) throw new CampaignMoveRefusedError(before, 'campaigns.assistant_inactive');
  }

  /** What a start or stop sets going, after its commit. */
  private follow({ status }: Campaign): void {
    if (status === 'in-progress') this.jobs.wake(dialCampaignsJob, {});
    else this.jobs.wake(endCallsJob, {});
  }

  private async find(userId: number, id: number): Promise<Campaign> {
    return (await this.campaigns.find(userId, id)) ?? CampaignNotFoundError.throw();
  }
}

/** Whether it ends by itself once no lead is left. */
function completes({ status, markCompleteWhenNoLeads }: Campaign): boolean {
  return status === 'in-progress' && markCompleteWhenNoLeads;
}
