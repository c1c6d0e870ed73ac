import { Injectable } from '@nestjs/common';
import { DialClaimsRepository } from './claims/dial-claims.repository.js';
import type { DiallingCampaign } from './claims/fair-shares.js';

/** How often the rows of all running campaigns are read, unless a change of one of them is reported. */
const FULL_LOOK_MS = 1_000;

/**
 * Finds the campaigns that have leads to call. All running campaigns are read once a second at most. In between only
 * those are read that had leads due or calls under way. Idle campaigns thus cost nothing while others dial.
 */
@Injectable()
export class DueCampaignsService {
  private active: number[] = [];
  private lookedAtMs = -Infinity;

  constructor(private readonly claims: DialClaimsRepository) {}

  /** Whether all campaigns are to be read again. */
  isStale(): boolean {
    return performance.now() - this.lookedAtMs >= FULL_LOOK_MS;
  }

  /** Of all running campaigns. At most `perCampaign` leads of each are looked at. */
  async findAll(perCampaign: number): Promise<DiallingCampaign[]> {
    this.lookedAtMs = performance.now();
    const campaigns = await this.claims.dialling(null, perCampaign);
    this.active = campaigns
      .filter(({ live, free }) => live > 0 || free > 0)
      .map(({ campaignId }) => campaignId);
    return campaigns;
  }

  /** The same, of the campaigns that were active when all were read last. */
  async findActive(perCampaign: number): Promise<DiallingCampaign[]> {
    return this.active.length === 0 ? [] : this.claims.diallingAmong(this.active, perCampaign);
  }
}
