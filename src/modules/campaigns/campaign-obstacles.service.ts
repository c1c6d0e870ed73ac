import { Injectable } from '@nestjs/common';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { Campaign } from './campaign.entity.js';
import { CampaignsRepository } from './campaigns.repository.js';

/** Why a campaign cannot call any lead: its owner has to change something. */
export type CampaignObstacle = 'assistant_missing' | 'assistant_inactive' | 'no_phone_number';

/** Tells what a campaign lacks: asked before it starts, and while it runs. */
@Injectable()
export class CampaignObstaclesService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly assistants: AssistantsService,
  ) {}

  /** Of a campaign that runs. Null when it lacks nothing. */
  find(campaign: Campaign): Promise<CampaignObstacle | null> {
    return this.obstacleOf(campaign, ({ status }) => status === 'active');
  }

  /** Of a campaign that is to start, which makes an assistant active that was never used. */
  findBeforeStart(campaign: Campaign): Promise<CampaignObstacle | null> {
    return this.obstacleOf(campaign, ({ status, activatesByUse }) => status === 'active' || activatesByUse);
  }

  private async obstacleOf(
    { userId, id, assistantId }: Campaign,
    isReady: (assistant: AssistantDetails) => boolean,
  ): Promise<CampaignObstacle | null> {
    const assistant = assistantId === null ? null : await this.assistants.find(userId, assistantId);
    if (assistant?.type !== 'outbound') return 'assistant_missing';
    if (!isReady(assistant)) return 'assistant_inactive';
    const hasNumber = assistant.phoneNumberId !== null || (await this.campaigns.hasPhoneNumber(userId, id));
    return hasNumber ? null : 'no_phone_number';
  }
}
