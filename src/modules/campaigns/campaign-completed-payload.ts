import type { Campaign } from './campaign.entity.js';

/** Data of the event campaign.completed. */
export interface CampaignCompletedPayload {
  readonly id: number;
  readonly name: string;
  readonly status: 'completed';
  /** Null once the assistant is deleted. */
  readonly assistant_id: number | null;
  /** ISO 8601, as is the next. */
  readonly created_at: string;
  readonly completed_at: string;
}

export function campaignCompletedPayload(campaign: Campaign): CampaignCompletedPayload {
  return {
    id: campaign.id,
    name: campaign.name,
    status: 'completed',
    assistant_id: campaign.assistantId,
    created_at: campaign.createdAt.toISOString(),
    completed_at: campaign.updatedAt.toISOString(),
  };
}
