/** A running campaign that may dial now. */
export interface DiallingCampaign {
  readonly campaignId: number;
  readonly userId: number;
  /** Attempts that are live. */
  readonly live: number;
  /** How many more it may start: leads that are due, as far as its limit has room. */
  readonly free: number;
}

/**
 * Who may dial next, at most `limit` times. Those with the fewest live calls come first: between tenants, and within
 * a tenant between its campaigns. A campaign of 100,000 leads and one of 10 thus get the same share while both have
 * leads to call. Equals keep the given order; shuffle them to be fair over time.
 */
export function fairShares(campaigns: readonly DiallingCampaign[], limit: number): number[] {
  const tenants = new Map<number, { live: number; campaigns: Waiting[] }>();
  for (const { campaignId, userId, live, free } of campaigns) {
    const tenant = tenants.get(userId) ?? { live: 0, campaigns: [] };
    tenants.set(userId, tenant);
    tenant.live += live;
    if (free > 0) tenant.campaigns.push({ campaignId, live, free });
  }
  const turns: number[] = [];
  let waiting = [...tenants.values()].filter((tenant) => tenant.campaigns.length > 0);
  while (turns.length < limit && waiting.length > 0) {
    const tenant = fewestLive(waiting);
    const campaign = fewestLive(tenant.campaigns);
    turns.push(campaign.campaignId);
    tenant.live++;
    campaign.live++;
    if (--campaign.free > 0) continue;
    tenant.campaigns = tenant.campaigns.filter((other) => other !== campaign);
    waiting = waiting.filter((other) => other.campaigns.length > 0);
  }
  return turns;
}

interface Waiting {
  readonly campaignId: number;
  live: number;
  free: number;
}

function fewestLive<Item extends { live: number }>(items: readonly Item[]): Item {
  return items.reduce((fewest, item) => (item.live < fewest.live ? item : fewest));
}
