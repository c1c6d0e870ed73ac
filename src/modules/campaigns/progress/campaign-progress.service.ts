import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CampaignStatus } from '../campaign-status.js';
import { CampaignNotFoundError } from '../campaigns.errors.js';
import { type LeadCounts, LeadDialsService } from '../../leads/lead-dials.service.js';
import { type AttemptCounts, CampaignProgressRepository } from './campaign-progress.repository.js';
import { CampaignsRepository } from '../campaigns.repository.js';
import { type DiallingPause, DiallingPauseService } from './dialling-pause.service.js';

const MINUTE_MS = 60_000;
const STEP_MS = 1_000;
/** Counting may take at most this share of the time of a stream. */
const MAX_COUNTING_SHARE = 0.1;
/** A stream ends after this; browsers connect again by themselves. */
const MAX_STREAM_MS = 30 * MINUTE_MS;

export interface CampaignProgress {
  readonly campaignId: number;
  readonly status: CampaignStatus;
  readonly leads: LeadCounts;
  readonly attempts: AttemptCounts;
  /** Null while calls are made, or it does not run. */
  readonly pause: DiallingPause | null;
  /** By the pace of the last minutes, as if it could call without a break; null while there is none. */
  readonly estimatedEnd: Date | null;
}

@Injectable()
export class CampaignProgressService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly progress: CampaignProgressRepository,
    private readonly leads: LeadDialsService,
    private readonly pauses: DiallingPauseService,
  ) {}

  /** @throws CampaignNotFoundError */
  async get(userId: number, id: number): Promise<CampaignProgress> {
    const campaign = (await this.campaigns.find(userId, id)) ?? CampaignNotFoundError.throw();
    const running = campaign.status === 'in-progress';
    const [leads, attempts] = await Promise.all([
      this.leads.countsOf(userId, id),
      this.progress.attemptsOf(userId, id),
    ]);
    return {
      campaignId: id,
      status: campaign.status,
      leads,
      attempts,
      pause: running ? await this.pauses.find(campaign, leads) : null,
      estimatedEnd: running ? estimateEnd(leads, attempts, new Date()) : null,
    };
  }

  /**
   * The progress now, and again each second until the campaign no longer runs; its end is the last item.
   *
   * @throws CampaignNotFoundError also when it is deleted in between
   */
  async *watch(userId: number, id: number, signal: AbortSignal): AsyncGenerator<CampaignProgress> {
    const endsAt = performance.now() + MAX_STREAM_MS;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const progress = await this.get(userId, id);
      const countingMs = performance.now() - startedAt;
      yield progress;
      if (progress.status !== 'in-progress' || performance.now() > endsAt) return;
      const waitMs = Math.max(STEP_MS, countingMs / MAX_COUNTING_SHARE);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Open leads need as many attempts each as the finished ones did. */
export function estimateEnd(leads: LeadCounts, attempts: AttemptCounts, now: Date): Date | null {
  const open = leads.waiting + leads.calling;
  if (open === 0) return now;
  const finished = leads.total - open;
  if (finished === 0 || attempts.settledPerMinute === 0) return null;
  const settled = [...attempts.outcomes.values()].reduce((sum, count) => sum + count, 0);
  const minutes = (open * (settled / finished)) / attempts.settledPerMinute;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
