export const CAMPAIGN_STATUSES = ['draft', 'in-progress', 'stopped', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/**
 * Where a campaign may go from each status. A completed one runs again once it has leads to call; that and the other
 * conditions of a start are checked outside this table.
 */
const MOVES: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['in-progress'],
  'in-progress': ['stopped', 'completed'],
  stopped: ['in-progress'],
  completed: ['in-progress'],
};

export function mayMove(from: CampaignStatus, to: CampaignStatus): boolean {
  return MOVES[from].includes(to);
}
