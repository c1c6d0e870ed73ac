import { ApiProperty } from '@nestjs/swagger';
import { NullableMoment, NullableOf } from '../../../common/http/response-fields.js';
import type { CampaignProgress } from '../progress/campaign-progress.service.js';
import { PAUSE_REASONS, type PauseReason } from '../progress/pause-reason.js';
import { CampaignStateResponse } from './campaign.response.js';

class LeadProgressResponse {
  @ApiProperty({ type: 'integer', description: 'Leads of the campaign' })
  declare total: number;

  @ApiProperty({ type: 'integer', description: 'Leads that were reached' })
  declare completed: number;

  @ApiProperty({ type: 'integer', description: 'Leads that were not reached in all their attempts' })
  declare reached_max_retries: number;

  @ApiProperty({ type: 'integer', description: 'Still to be called, now or later' })
  declare waiting: number;

  @ApiProperty({ type: 'integer', description: 'Being called' })
  declare running: number;
}

class AttemptProgressResponse {
  @ApiProperty({ type: 'integer', description: 'Begun so far, running ones included' })
  declare total: number;

  @ApiProperty({ type: 'integer', description: 'Attempts that a person answered' })
  declare answered: number;

  @ApiProperty({ type: 'integer', description: 'Attempts that a voicemail answered' })
  declare voicemail: number;

  @ApiProperty({ type: 'integer', description: 'Attempts that found the line busy' })
  declare busy: number;

  @ApiProperty({ type: 'integer', description: 'Attempts without an answer' })
  declare no_answer: number;

  @ApiProperty({ type: 'integer', description: 'Attempts that the carrier could not place' })
  declare failed: number;

  @ApiProperty({ type: 'integer', description: 'The carrier could not say whether it dialled' })
  declare unknown: number;
}

class DiallingPausedResponse {
  @ApiProperty({
    enum: PAUSE_REASONS,
    description:
      '`nobody_due`: all who are left are called again later. `insufficient_balance`: for the longest call',
  })
  declare reason: PauseReason;

  @NullableMoment('Known of carriers alone')
  declare since: string | null;

  @NullableMoment('When calls resume by themselves, or are tried; null: a setting has to be changed first')
  declare retry_at: string | null;
}

export class CampaignProgressResponse extends CampaignStateResponse {
  @ApiProperty({ type: LeadProgressResponse })
  declare leads: LeadProgressResponse;

  @ApiProperty({ type: AttemptProgressResponse })
  declare attempts: AttemptProgressResponse;

  @ApiProperty({ type: 'integer', description: 'Attempts begun within the last minute' })
  declare rate_per_minute: number;

  @NullableOf(
    DiallingPausedResponse,
    'Why no lead is called although the campaign runs. Leads wait, and lose no attempt by it',
  )
  declare dialling_paused: DiallingPausedResponse | null;

  @NullableMoment('By the pace of the last minutes; null while it does not run or has no pace yet')
  declare estimated_end: string | null;
}

export function toCampaignProgressResponse(progress: CampaignProgress): CampaignProgressResponse {
  const { campaignId, status, leads, attempts, pause, estimatedEnd } = progress;
  const { outcomes, live } = attempts;
  const settled = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  return {
    campaign_id: campaignId,
    status,
    leads: {
      total: leads.total,
      completed: leads.completed,
      reached_max_retries: leads.reachedMaxRetries,
      waiting: leads.waiting,
      running: leads.calling,
    },
    attempts: {
      total: settled + live,
      answered: outcomes.get('answered') ?? 0,
      voicemail: outcomes.get('voicemail') ?? 0,
      busy: outcomes.get('busy') ?? 0,
      no_answer: outcomes.get('no-answer') ?? 0,
      failed: outcomes.get('failed') ?? 0,
      unknown: outcomes.get('unknown') ?? 0,
    },
    rate_per_minute: attempts.lastMinute,
    dialling_paused: pause && {
      reason: pause.reason,
      since: pause.since?.toISOString() ?? null,
      retry_at: pause.retryAt?.toISOString() ?? null,
    },
    estimated_end: estimatedEnd?.toISOString() ?? null,
  };
}
