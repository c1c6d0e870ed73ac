import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '../../../common/http/api-docs.js';
import { NullableInteger, NullableText, TimestampedResponse } from '../../../common/http/response-fields.js';
import { say } from '../../../i18n/catalogue.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign-status.js';
import { type Weekday, WEEKDAYS } from '../../../common/time/weekdays.js';
import type { Campaign } from '../campaign.entity.js';
import type { CampaignDetails } from '../campaigns.service.js';

export class CampaignResponse extends TimestampedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ enum: CAMPAIGN_STATUSES, description: 'State' })
  declare status: CampaignStatus;

  @NullableInteger({ description: 'Null once the assistant was deleted' })
  declare assistant_id: number | null;

  @ApiProperty({ example: 'America/Sao_Paulo', description: 'IANA name of the time zone' })
  declare timezone: string;

  @ApiProperty({ type: 'integer', description: 'Calls of the campaign at the same time' })
  declare max_calls_in_parallel: number;

  @ApiProperty({ example: '09:00:00', description: 'HH:MM, in the time zone of the campaign' })
  declare allowed_hours_start_time: string;

  @ApiProperty({ example: '18:00:00', description: 'HH:MM, in the time zone of the campaign' })
  declare allowed_hours_end_time: string;

  @ApiProperty({
    enum: WEEKDAYS,
    isArray: true,
    description: 'Days of the week on which leads are called, in the time zone of the campaign',
  })
  declare allowed_days: Weekday[];

  @ApiProperty({ type: 'integer', description: 'Attempts after the first one' })
  declare max_retries: number;

  @ApiProperty({ type: 'integer', description: 'Minutes' })
  declare retry_interval: number;

  @ApiProperty({ description: 'Voicemail counts as not reached' })
  declare retry_on_voicemail: boolean;

  @ApiProperty({ description: 'Call again when the goal variable of a finished call is false' })
  declare retry_on_goal_incomplete: boolean;

  @NullableText({
    description: 'Item of the post-call schema that says whether the goal was reached',
    example: 'vendeu',
  })
  declare goal_completion_variable: string | null;

  @ApiProperty({ description: 'Whether the campaign ends by itself when no lead is left' })
  declare mark_complete_when_no_leads: boolean;

  @ApiProperty({ type: 'integer', isArray: true, description: 'Numbers that calls go out from, by turns' })
  declare phone_number_ids: readonly number[];
}

export function toCampaignResponse({ campaign, phoneNumberIds }: CampaignDetails): CampaignResponse {
  return {
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    assistant_id: campaign.assistantId,
    timezone: campaign.timezone,
    max_calls_in_parallel: campaign.maxCallsInParallel,
    allowed_hours_start_time: campaign.allowedHoursStartTime,
    allowed_hours_end_time: campaign.allowedHoursEndTime,
    allowed_days: campaign.allowedDays,
    max_retries: campaign.maxRetries,
    retry_interval: campaign.retryIntervalMinutes,
    retry_on_voicemail: campaign.retryOnVoicemail,
    retry_on_goal_incomplete: campaign.retryOnGoalIncomplete,
    goal_completion_variable: campaign.goalCompletionVariable,
    mark_complete_when_no_leads: campaign.markCompleteWhenNoLeads,
    phone_number_ids: phoneNumberIds,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
  };
}

export class CampaignStateResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the campaign' })
  declare campaign_id: number;

  @ApiProperty({ enum: CAMPAIGN_STATUSES, description: 'State' })
  declare status: CampaignStatus;
}

export class CampaignStatusResponse extends MessageResponse {
  @ApiProperty({ enum: [true], description: 'Whether it was done' })
  declare success: true;

  @ApiProperty({ type: CampaignStateResponse })
  declare data: CampaignStateResponse;
}

/** The refusal of a start or stop; `data` is left out where there is no campaign. */
export class CampaignStatusErrorResponse extends MessageResponse {
  @ApiProperty({ enum: [false], description: 'Whether it was done' })
  declare success: false;

  @ApiProperty({ type: CampaignStateResponse, required: false })
  declare data?: CampaignStateResponse;
}

export function toCampaignStatusResponse({ id, status }: Campaign): CampaignStatusResponse {
  const message = say(status === 'in-progress' ? 'campaigns.started' : 'campaigns.stopped');
  return { message, success: true, data: { campaign_id: id, status } };
}
