import { Injectable } from '@nestjs/common';
import { CallDetachmentsService } from '../calls/call-detachments.service.js';
import { LeadsService } from '../leads/leads.service.js';
import { CampaignLifecycleService } from './campaign-lifecycle.service.js';
import { CampaignNotFoundError } from './campaigns.errors.js';
import { CampaignsRepository } from './campaigns.repository.js';
import { DialRetentionService } from './dialler/attempts/dial-retention.service.js';

@Injectable()
export class CampaignDeletionService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly calls: CallDetachmentsService,
    private readonly attempts: DialRetentionService,
    private readonly leads: LeadsService,
  ) {}

  /**
   * Stops the campaign, so that it makes no calls during the deletion, and deletes it with its leads. Its calls stay.
   *
   * @throws CampaignNotFoundError
   */
  async delete(userId: number, id: number): Promise<void> {
    await this.lifecycle.halt(userId, id);
    await this.calls.detachCampaign(userId, id);
    await this.attempts.detachCampaign(userId, id);
    await this.leads.deleteAllOf(userId, id);
    if (!(await this.campaigns.delete(userId, id))) throw new CampaignNotFoundError();
  }
}
