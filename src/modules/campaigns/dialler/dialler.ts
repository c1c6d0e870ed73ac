import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CarrierBreakerService } from '../../calls/carrier-breaker/carrier-breaker.service.js';
import { AttemptSender } from './attempt-sender.js';
import { DialClaimsRepository } from './dial-claims.repository.js';
import { type Claim, DialGate } from './dial-gate.js';
import { type DiallingCampaign, fairTurns } from './fair-turns.js';

/** Turns that are given out before everybody's share is looked at again. */
const TURNS_PER_ROUND = 32;
const CLAIMS_AT_ONCE = 4;
const MAX_SENDING = 64;
/** Lines that become free within this are given out together: a claim costs as much for one lead as for ten. */
const GATHER_MS = 20;
/** A run ends after this and the next beat goes on, so that no job runs without end. */
const MAX_RUN_MS = 10_000;

/** Campaigns and tenants that cannot dial for the rest of a run. */
interface Resting {
  readonly campaigns: Set<number>;
  readonly tenants: Set<number>;
}

/**
 * Dials whoever is due, in all campaigns of all tenants. There is one loop a process; several processes work side by
 * side, and the gate keeps each lead to one of them. It holds no timers: what is due is read from the rows each time.
 */
@Injectable()
export class Dialler implements OnModuleDestroy {
  private readonly sending = new Set<Promise<void>>();
  private running: Promise<void> | null = null;
  private again = false;
  private stopping = false;

  constructor(
    private readonly claims: DialClaimsRepository,
    private readonly gate: DialGate,
    private readonly sender: AttemptSender,
    private readonly breaker: CarrierBreakerService,
    private readonly logger: Logger,
  ) {}

  /** Dials until nobody is due or there is no room. While a run is on, it looks once more instead of starting another. */
  run(): Promise<void> {
    this.again = true;
    this.running ??= this.loop().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Runs without anybody waiting for it. */
  wake(): void {
    this.run().catch((error: unknown) => this.logger.error('dialling failed', { err: error }));
  }

  /** Takes an attempt up that another process left half sent. Its lock must be held. */
  takeUp(claim: Claim): void {
    const sent = this.sender
      .send(claim)
      .catch((error: unknown) =>
        this.logger.error('sending an attempt failed', { attemptId: claim.attempt.id, err: error }),
      )
      .finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  /** Starts nothing more, and finishes what is being sent. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.running?.catch(() => undefined);
    await Promise.all(this.sending);
  }

  private async loop(): Promise<void> {
    const endsAt = performance.now() + MAX_RUN_MS;
    const resting: Resting = { campaigns: new Set(), tenants: new Set() };
    let progress = true;
    while ((progress || this.again) && !this.stopping && performance.now() < endsAt) {
      this.again = false;
      progress = await this.round(resting);
      await sleep(GATHER_MS);
    }
  }

  /** One share for everybody; false when nobody could use theirs. */
  private async round(resting: Resting): Promise<boolean> {
    const carrier = await this.breaker.findOpen();
    if (carrier?.state === 'open') return false;
    // One call tells whether the carrier is back.
    const turns = carrier ? 1 : TURNS_PER_ROUND;
    const all = await this.claims.dialling(null, TURNS_PER_ROUND);
    const open = all.filter(
      ({ userId, campaignId }) => !resting.tenants.has(userId) && !resting.campaigns.has(campaignId),
    );
    const shares = sharesOf(open, fairTurns(open, turns));
    let progress = false;
    const take = async () => {
      for (let share = shares.shift(); share !== undefined; share = shares.shift()) {
        if (await this.dialShare(share, resting)) progress = true;
      }
    };
    await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, take));
    return progress && carrier === null;
  }

  /** Dials the next leads of a campaign; false when nobody came of it. */
  private async dialShare({ campaign, turns }: Share, resting: Resting): Promise<boolean> {
    const { campaignId, userId } = campaign;
    if (this.stopping || resting.tenants.has(userId)) return false;
    while (this.sending.size >= MAX_SENDING) await Promise.race(this.sending);
    try {
      const limit = Math.min(turns, MAX_SENDING - this.sending.size);
      const { claims, passed, shortage } = await this.gate.claim(campaignId, limit);
      for (const claim of claims) this.takeUp(claim);
      // No balance, no line: of the whole account, and it may pass by itself.
      if (shortage) resting.tenants.add(userId);
      return claims.length + passed > 0;
    } catch (error) {
      resting.campaigns.add(campaignId);
      this.logger.error('claiming leads failed', { campaignId, err: error });
      return false;
    }
  }
}

/** How many leads a campaign may claim at once. */
interface Share {
  readonly campaign: DiallingCampaign;
  readonly turns: number;
}

function sharesOf(campaigns: readonly DiallingCampaign[], turns: readonly number[]): Share[] {
  const counts = new Map<number, number>();
  for (const id of turns) counts.set(id, (counts.get(id) ?? 0) + 1);
  return campaigns.flatMap((campaign) => {
    const count = counts.get(campaign.campaignId) ?? 0;
    return count > 0 ? [{ campaign, turns: count }] : [];
  });
}
