import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import type { DomainError } from '../../../common/errors/domain-error.js';
import { Logger } from '../../../common/observability/logger.js';
import { isLockTimeout } from '../../../database/database.js';
import { ParallelCallsLimitError } from '../../calls/calls.errors.js';
import { CarrierBreakerService } from '../../active-calls/carrier-breaker/carrier-breaker.service.js';
import { AttemptSenderService } from './attempts/attempt-sender.service.js';
import { TenantBackoff } from './claims/tenant-backoff.js';
import { type Claim, LeadClaimerService } from './claims/lead-claimer.service.js';
import { DueCampaignsService } from './due-campaigns.service.js';
import { type DiallingCampaign, fairShares } from './claims/fair-shares.js';

/** Turns that are given out before everybody's share is looked at again. */
const TURNS_PER_ROUND = 32;
const CLAIMS_AT_ONCE = 4;
const MAX_SENDING = 64;
/** Lines that become free within this are given out together: a claim costs as much for one lead as for ten. */
const GATHER_MS = 50;
/** A run ends after this and the next beat continues, so that no job runs without end. */
const MAX_RUN_MS = 10_000;

/** Campaigns and tenants that cannot dial for the rest of a run. */
interface Resting {
  readonly campaigns: Set<number>;
  readonly tenants: Set<number>;
}

/**
 * Dials leads that are due, in all campaigns of all tenants. There is one loop a process; several processes work side by
 * side, and the lead lock keeps each lead to one of them. It holds no timers: what is due is read from the rows each time.
 */
@Injectable()
export class DiallerService implements OnModuleDestroy {
  private readonly sends = new Set<Promise<void>>();
  private running: Promise<void> | null = null;
  /** The claims under way, one a tenant: several of one tenant would only wait for its money and lines. */
  private readonly claiming = new Map<number, Promise<void>>();
  private readonly backoff = new TenantBackoff();
  /** The active campaigns are to be looked at again. */
  private again = false;
  /** All campaigns are to be looked at, as soon as that is due. */
  private isWoken = false;
  /** All campaigns are to be looked at now. */
  private isForced = false;
  private stopping = false;

  constructor(
    private readonly campaigns: DueCampaignsService,
    private readonly claimer: LeadClaimerService,
    private readonly sender: AttemptSenderService,
    private readonly breaker: CarrierBreakerService,
    private readonly logger: Logger,
    drain: DrainService,
  ) {
    drain.leaving.addEventListener('abort', () => (this.stopping = true));
  }

  /**
   * Dials until no lead is due or there is no room. It reads all campaigns for that. During a run, a second request
   * causes one more round instead of another run.
   */
  run(): Promise<void> {
    this.isForced = true;
    return this.start();
  }

  /** Looks whether a line that became free is wanted, without anybody waiting for it. */
  wake(): void {
    this.again = true;
    this.isWoken = true;
    this.start().catch((error: unknown) => this.logger.error('dialling failed', { err: error }));
  }

  /** Takes an attempt up that another process left half sent. Its lock must be held. */
  takeUp(claim: Claim): void {
    const sent = this.sender
      .send(claim)
      .catch((error: unknown) =>
        this.logger.error('sending an attempt failed', { attemptId: claim.attempt.id, err: error }),
      )
      .finally(() => this.sends.delete(sent));
    this.sends.add(sent);
  }

  /** Starts nothing more, and finishes what is being sent. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.running?.catch(() => undefined);
    await Promise.all(this.claiming.values());
    await Promise.all(this.sends);
  }

  private start(): Promise<void> {
    this.running ??= this.loop().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async loop(): Promise<void> {
    const endsAt = performance.now() + MAX_RUN_MS;
    const resting: Resting = { campaigns: new Set(), tenants: new Set() };
    while (this.hasWork() && !this.stopping && performance.now() < endsAt) {
      if (this.isForced || this.campaigns.isStale()) await this.round('all', resting);
      else if (this.again) await this.round('active', resting);
      await sleep(GATHER_MS);
    }
  }

  private hasWork(): boolean {
    return this.again || this.isWoken || this.isForced || this.claiming.size > 0;
  }

  /**
   * One share for every tenant whose last one has been claimed. It does not wait for the claims: a slow claim of one
   * tenant delays no other. The results of the claims lead to the next round.
   */
  private async round(which: 'all' | 'active', resting: Resting): Promise<void> {
    this.again = false;
    if (which === 'all') {
      this.isWoken = false;
      this.isForced = false;
    }
    const carrier = await this.breaker.findOpenEverywhere();
    if (carrier?.state === 'open') return;
    // One call tells whether the carrier is back.
    const turns = carrier ? 1 : TURNS_PER_ROUND;
    const due = await (which === 'all'
      ? this.campaigns.findAll(TURNS_PER_ROUND)
      : this.campaigns.findActive(TURNS_PER_ROUND));
    const open = due.filter(
      ({ userId, campaignId }) =>
        !this.claiming.has(userId) &&
        !resting.tenants.has(userId) &&
        !resting.campaigns.has(campaignId) &&
        !this.backoff.isResting(userId),
    );
    for (const [userId, shares] of sharesOf(open, fairShares(open, turns))) {
      while (this.sends.size >= MAX_SENDING) await Promise.race(this.sends);
      while (this.claiming.size >= CLAIMS_AT_ONCE) await Promise.race(this.claiming.values());
      if (this.stopping) return;
      const claimed = this.dialShares(userId, shares, resting)
        .then((progress) => {
          if (progress && carrier === null) this.again = true;
        })
        .finally(() => this.claiming.delete(userId));
      this.claiming.set(userId, claimed);
    }
  }

  /** Dials the next leads of a tenant's campaigns; false when no lead was dialled. */
  private async dialShares(userId: number, shares: readonly Share[], resting: Resting): Promise<boolean> {
    let progress = false;
    for (const share of shares) {
      if (this.stopping || resting.tenants.has(userId) || this.backoff.isResting(userId)) break;
      if (await this.dialShare(share, resting)) progress = true;
    }
    return progress;
  }

  private async dialShare({ campaign, turns }: Share, resting: Resting): Promise<boolean> {
    const { campaignId, userId } = campaign;
    try {
      const limit = Math.max(1, Math.min(turns, MAX_SENDING - this.sends.size));
      const { claims, passed, shortage, isBusy } = await this.claimer.claim(campaignId, limit);
      this.backoff.delete(userId);
      for (const claim of claims) this.takeUp(claim);
      // A full trunk is this campaign's matter, and numbers of other trunks are tried first.
      if (isOfTrunk(shortage)) {
        if (claims.length === 0) resting.campaigns.add(campaignId);
      } else if (shortage) {
        // No balance, no line: of the whole account, and it may pass by itself.
        resting.tenants.add(userId);
      }
      if (isBusy) this.again = true;
      return claims.length + passed > 0;
    } catch (error) {
      if (isLockTimeout(error)) {
        this.backoff.add(userId);
        this.logger.warn('leads not claimed yet: rows of their account are locked', { campaignId });
        return false;
      }
      resting.campaigns.add(campaignId);
      this.logger.error('claiming leads failed', { campaignId, err: error });
      return false;
    }
  }
}

function isOfTrunk(shortage: DomainError | null): boolean {
  return shortage instanceof ParallelCallsLimitError && shortage.scope === 'trunk';
}

/** How many leads a campaign may claim at once. */
interface Share {
  readonly campaign: DiallingCampaign;
  readonly turns: number;
}

/** By tenant: what each of their campaigns may claim. */
function sharesOf(campaigns: readonly DiallingCampaign[], turns: readonly number[]): Map<number, Share[]> {
  const counts = new Map<number, number>();
  for (const id of turns) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shares = new Map<number, Share[]>();
  for (const campaign of campaigns) {
    const count = counts.get(campaign.campaignId) ?? 0;
    if (count === 0) continue;
    const ofTenant = shares.get(campaign.userId) ?? [];
    ofTenant.push({ campaign, turns: count });
    shares.set(campaign.userId, ofTenant);
  }
  return shares;
}
