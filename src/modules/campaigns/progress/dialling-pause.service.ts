import { Injectable } from '@nestjs/common';
import { InsufficientBalanceError } from '../../billing/billing.errors.js';
import { CarrierBreakerService } from '../../active-calls/carrier-breaker/carrier-breaker.service.js';
import { CallForecastsService } from '../../active-calls/call-forecasts.service.js';
import { type LeadCounts, LeadDialsService } from '../../leads/lead-dials.service.js';
import { CampaignObstaclesService } from '../campaign-obstacles.service.js';
import type { Campaign } from '../campaign.entity.js';
import { CampaignsRepository } from '../campaigns.repository.js';
import { CampaignProgressRepository } from './campaign-progress.repository.js';
import type { PauseReason } from './pause-reason.js';

/** Why no new call is placed although the campaign runs. */
export interface DiallingPause {
  readonly reason: PauseReason;
  /** Null where it is not known. */
  readonly since: Date | null;
  /** When it may call again by itself; null where a setting has to be changed first. */
  readonly retryAt: Date | null;
}

/** Shows the owner of a campaign without calls what it waits for. The dialler decides it. */
@Injectable()
export class DiallingPauseService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly progress: CampaignProgressRepository,
    private readonly obstacles: CampaignObstaclesService,
    private readonly leads: LeadDialsService,
    private readonly forecasts: CallForecastsService,
    private readonly breaker: CarrierBreakerService,
  ) {}

  /** Of a running campaign; null while it calls, or has no leads left. */
  async find(campaign: Campaign, { waiting, calling }: LeadCounts): Promise<DiallingPause | null> {
    if (waiting === 0) return null;
    return (
      (await this.obstacleOf(campaign)) ??
      (await this.closedHoursOf(campaign)) ??
      (await this.carrierTrouble()) ??
      // Calls under way have their money set aside, and those who are due next may be a moment away.
      (calling > 0 ? null : ((await this.moneyShortageOf(campaign)) ?? (await this.waitOf(campaign))))
    );
  }

  private async obstacleOf(campaign: Campaign): Promise<DiallingPause | null> {
    const obstacle = await this.obstacles.find(campaign);
    return obstacle && { reason: obstacle, since: null, retryAt: null };
  }

  private async closedHoursOf({ userId, id }: Campaign): Promise<DiallingPause | null> {
    const { isOpen, opensAt } = await this.progress.callingHoursOf(userId, id);
    if (isOpen) return null;
    return { reason: opensAt ? 'outside_allowed_hours' : 'timezone_unknown', since: null, retryAt: opensAt };
  }

  private async carrierTrouble(): Promise<DiallingPause | null> {
    const open = await this.breaker.findOpenEverywhere();
    if (!open) return null;
    const reason = open.reason === 'rate-limited' ? 'carrier_rate_limited' : 'carrier_unavailable';
    return { reason, since: open.openedAt, retryAt: open.retryAt };
  }

  private async moneyShortageOf({ userId, id, assistantId }: Campaign): Promise<DiallingPause | null> {
    if (assistantId === null) return null;
    const [numberId] = (await this.campaigns.phoneNumberIdsOf(userId, [id])).get(id) ?? [];
    const shortage = await this.forecasts.findMoneyShortage(userId, assistantId, numberId ?? null);
    if (!shortage) return null;
    return shortage instanceof InsufficientBalanceError
      ? { reason: 'insufficient_balance', since: null, retryAt: null }
      : { reason: 'daily_spend_cap', since: null, retryAt: nextUtcDay() };
  }

  private async waitOf({ userId, id }: Campaign): Promise<DiallingPause | null> {
    const dueAt = await this.leads.findNextDue(userId, id);
    return dueAt && { reason: 'nobody_due', since: null, retryAt: dueAt };
  }
}

/** The spending of a day is that of a day of UTC. */
function nextUtcDay(): Date {
  const day = new Date();
  day.setUTCHours(24, 0, 0, 0);
  return day;
}
