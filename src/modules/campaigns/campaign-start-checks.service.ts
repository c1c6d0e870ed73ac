import { Injectable } from '@nestjs/common';
import type { TextKey } from '../../i18n/catalogue.js';
import { BillingService } from '../billing/billing.service.js';
import { LeadsService } from '../leads/leads.service.js';
import { CampaignObstaclesService } from './campaign-obstacles.service.js';
import type { Campaign } from './campaign.entity.js';
import { CampaignMoveRefusedError } from './campaigns.errors.js';

/** A start needs any free balance at all; the price of each call is held before it is dialled. */
const MIN_BALANCE_MICROS = 1;

/** Checks whether a campaign can start: its settings, its leads and the balance of its account. */
@Injectable()
export class CampaignStartChecksService {
  constructor(
    private readonly obstacles: CampaignObstaclesService,
    private readonly leads: LeadsService,
    private readonly billing: BillingService,
  ) {}

  /** @throws CampaignMoveRefusedError with the first reason against a start */
  async assertStartable(campaign: Campaign): Promise<void> {
    const obstacle = await this.obstacleOf(campaign);
    if (obstacle) throw new CampaignMoveRefusedError(campaign, obstacle);
  }

  private async obstacleOf(campaign: Campaign): Promise<TextKey | null> {
    const obstacle = await this.obstacles.findBeforeStart(campaign);
    if (obstacle) return `campaigns.${obstacle}`;
    const { userId, id } = campaign;
    if (!(await this.leads.hasOpen(userId, id))) return 'campaigns.no_leads';
    if (!(await this.billing.canAfford(userId, MIN_BALANCE_MICROS))) return 'billing.insufficient_balance';
    return null;
  }
}
