import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { NullableEnum, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import {
  BRANCH_ACTIONS,
  type BranchAction,
  ROUTING_BRANCHES,
  ROUTING_REASONS,
} from '../../../common/phone/call-routing.js';
import { WEEKDAYS } from '../../../common/time/weekdays.js';
import {
  type RoutedPhoneNumberResponse,
  RoutingNowResponse,
  toListedPhoneNumberResponse,
} from '../../phone-numbers/dto/phone-number.response.js';
import type { RoutingDetails } from '../number-routings.service.js';
import type { RoutingTest } from '../lookups/routing-tests.service.js';
import type { RoutingPreview } from '../routing-previews.service.js';
import { TestedLookupResponse, toTestedLookupResponse } from './number-lookup.response.js';

class WeeklyHoursResponse {
  @ApiProperty({ enum: WEEKDAYS, isArray: true, description: 'Days on which the hours begin' })
  declare days: readonly string[];

  @ApiProperty({ description: 'HH:MM, in the time zone', example: '09:00' })
  declare from: string;

  @ApiProperty({ description: 'HH:MM, exclusive; before `from` it is of the next day', example: '18:00' })
  declare to: string;
}

class RoutingHoursResponse {
  @ApiProperty({ description: 'IANA name of the time zone of the hours', example: 'America/Sao_Paulo' })
  declare timezone: string;

  @ApiProperty({ type: [WeeklyHoursResponse], description: 'When the number is open, each week' })
  declare weekly: readonly WeeklyHoursResponse[];

  @ApiProperty({
    type: [String],
    description: 'Days on which it is closed, YYYY-MM-DD on the calendar of the time zone',
    example: ['2026-12-25'],
  })
  declare closed_dates: readonly string[];
}

class BranchActionResponse {
  @ApiProperty({ enum: BRANCH_ACTIONS, description: '`busy`: the caller is turned away' })
  declare action: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Only with the action `assistant`' })
  declare assistant_id?: number;

  @ApiPropertyOptional({ description: 'Only with the action `forward`', example: '+551130000009' })
  declare phone_number?: string;

  @ApiPropertyOptional({
    description: 'Only with the action `message`',
    example: 'Nosso horário de atendimento é das 9 às 18 horas.',
  })
  declare text?: string;
}

class RoutingQueueResponse {
  @ApiProperty({ type: 'integer', description: 'How many callers may wait at the same time' })
  declare max_waiting: number;

  @ApiProperty({
    type: 'integer',
    description: 'Seconds after which a waiting call takes the part `unavailable`',
  })
  declare max_seconds: number;

  @NullableText({
    description: 'What a caller hears first, before the position in the queue; null: the position alone',
    example: 'Um momento, já vamos atender.',
  })
  declare message: string | null;
}

export class NumberRoutingResponse {
  @NullableOf(RoutingHoursResponse, 'When the assistant of the number answers; null: at any time')
  declare hours: RoutingHoursResponse | null;

  @ApiProperty({ type: BranchActionResponse, description: 'What is done with a call outside the hours' })
  declare closed: BranchActionResponse;

  @ApiProperty({
    type: BranchActionResponse,
    description: 'What is done with a call that nothing else can answer',
  })
  declare unavailable: BranchActionResponse;

  @NullableText({
    format: 'uri',
    example: 'https://crm.example/who',
    description: 'Asked who the caller is while a call rings; null: no one is asked',
  })
  declare lookup_url: string | null;

  @ApiProperty({ type: 'integer', description: 'Milliseconds that an answer of `lookup_url` is waited for' })
  declare lookup_timeout_ms: number;

  @NullableOf(RoutingQueueResponse, 'How callers wait where no line is free; null: they do not')
  declare queue: RoutingQueueResponse | null;

  @ApiProperty({
    type: RoutingNowResponse,
    description: 'Who answers now, if lines and balance suffice, and a lookup decides nothing',
  })
  declare now: RoutingNowResponse;
}

export class RoutingTestResponse extends RoutingNowResponse {
  @ApiProperty({ enum: ROUTING_BRANCHES, description: 'Which part of the routing the call takes' })
  declare branch: string;

  @NullableEnum(ROUTING_REASONS, {
    description: 'Why it does not take the part for open hours; null where it does',
  })
  declare reason: string | null;

  @NullableText({
    example: 'Nosso horário de atendimento é das 9 às 18 horas.',
    description: 'What is said; null for other actions than `message`',
  })
  declare text: string | null;

  @NullableOf(TestedLookupResponse, 'The question to `lookup_url`; null where the number has none')
  declare lookup: TestedLookupResponse | null;
}

export function toNumberRoutingResponse({ routing, now }: RoutingDetails): NumberRoutingResponse {
  const { hours, closed, unavailable, lookupUrl, lookupTimeoutMs, queue } = routing;
  return {
    hours,
    closed: toBranch(closed),
    unavailable: toBranch(unavailable),
    lookup_url: lookupUrl,
    lookup_timeout_ms: lookupTimeoutMs,
    queue,
    now: toRoutingNowResponse(now),
  };
}

export function toRoutingTestResponse({ preview, lookup }: RoutingTest): RoutingTestResponse {
  const { branch, reason, text } = preview;
  return Object.assign(toRoutingNowResponse(preview), {
    branch,
    reason,
    text,
    lookup: lookup && toTestedLookupResponse(lookup),
  });
}

export function toRoutedPhoneNumberResponse(
  number: Parameters<typeof toListedPhoneNumberResponse>[0],
  preview: RoutingPreview | null,
): RoutedPhoneNumberResponse {
  return Object.assign(toListedPhoneNumberResponse(number), {
    routing: preview && toRoutingNowResponse(preview),
  });
}

function toRoutingNowResponse({ open, action, assistant, phoneNumber }: RoutingPreview): RoutingNowResponse {
  return {
    open,
    action,
    assistant_id: assistant?.id ?? null,
    assistant_name: assistant?.name ?? null,
    phone_number: phoneNumber,
  };
}

function toBranch(branch: BranchAction): BranchActionResponse {
  return { ...branch };
}
