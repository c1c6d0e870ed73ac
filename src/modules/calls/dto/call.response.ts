import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  FreeObject,
  NullableEnum,
  NullableInteger,
  NullableOf,
  NullableText,
  NumberedResponse,
} from '../../../common/http/response-fields.js';
import { toPlainTimestamp } from '../../../common/time/zoned-days.js';
import {
  type CallRouting,
  LOOKUP_ERRORS,
  LOOKUP_STATUSES,
  ROUTING_ACTIONS,
  ROUTING_BRANCHES,
  ROUTING_REASONS,
} from '../../../common/phone/call-routing.js';
import { dollarsOf } from '../../billing/money.js';
import type { ShownCall } from '../listing/call-list.service.js';
import { STAND_IN_REASONS, type StandInReason } from '../turns/call-voice.js';
import { LiveCallResponse, toLiveCallResponse } from './live-call.response.js';
import { ANSWERERS, CALL_STATUSES, CALL_TYPES } from '../call-states.js';

const DATE_TIME = {
  example: '2026-01-31 18:30:00',
  description: 'In the time zone of the account, which the header `X-Prosa-Time-Zone` names',
};

class NamedVoiceResponse {
  @NullableInteger({ description: 'Null for a voice that is not in the catalogue' })
  declare id: number | null;

  @ApiProperty({ example: 'Francisca', description: 'Name, for people' })
  declare name: string;
}

class CallVoiceResponse extends NamedVoiceResponse {
  @NullableOf(NamedVoiceResponse, 'The voice of the assistant, where another one was heard')
  declare stood_in_for: NamedVoiceResponse | null;

  @NullableEnum(STAND_IN_REASONS, {
    description:
      'Why another voice was heard: this version has no adapter for the vendor, there is no key for it, or it did not speak; null: it was the own voice',
  })
  declare reason: StandInReason | null;
}

export class CallLookupResponse {
  @ApiProperty({
    enum: LOOKUP_STATUSES,
    description:
      '`ok`: the answer was used; `timeout`: it was late; `failed`: it could not be read; `ignored`: the server was not asked, or named an assistant or a number that cannot be used',
  })
  declare status: string;

  @ApiProperty({ type: 'integer', description: 'How long the answer took; 0 where the server was not asked' })
  declare ms: number;

  @NullableEnum(LOOKUP_ERRORS, { description: 'What was wrong' })
  declare error: string | null;
}

class CallRoutingResponse {
  @ApiProperty({
    enum: ROUTING_BRANCHES,
    description:
      'Which part of the number’s routing the call took. `lookup`: the owner’s server has decided; `unavailable`: the part that was meant for it could not answer',
  })
  declare branch: string;

  @ApiProperty({
    enum: ROUTING_ACTIONS,
    description:
      '`busy`: the caller was turned away; `reject`: the owner’s server has turned the caller away',
  })
  declare action: string;

  @NullableEnum(ROUTING_REASONS, {
    description:
      'Why it did not take the part for open hours. `account_full`, `platform_full`, `trunk_full`: no line was free; `no_voice`: no voice process could talk; `queue_full`: as many callers waited as may; `queue_timeout`: the caller waited as long as one may; null where it did',
  })
  declare reason: string | null;

  @NullableOf(
    CallLookupResponse,
    'The question to the owner’s server who the customer is; null where none was sent',
  )
  declare lookup: CallLookupResponse | null;

  @NullableInteger({
    example: 42_000,
    description:
      'Milliseconds that the caller waited for a line; null for calls that never waited, and until the wait is over',
  })
  declare waited_ms: number | null;

  @NullableText({
    example: '+551130000009',
    description: 'The number that the caller was forwarded to; null for other actions than `forward`',
  })
  declare forwarded_to: string | null;
}

export class CallResponse extends NumberedResponse {
  @ApiProperty({
    description: 'As it was at the time of the call; empty where none was meant for it',
    example: 'Recepção',
  })
  declare assistant_name: string;

  @ApiPropertyOptional({
    description: 'Only when the call belongs to a campaign',
    example: 'Renovação de contratos',
  })
  declare campaign_name?: string;

  @ApiProperty({ enum: CALL_TYPES, description: 'Kind' })
  declare type: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  declare duration: number;

  @ApiProperty({ description: 'Number used by the assistant; empty on the web', example: '+5511987654321' })
  declare assistant_phone_number: string;

  @ApiProperty({ description: 'Number of the customer; empty on the web', example: '+5511912345678' })
  declare client_phone_number: string;

  @ApiProperty({ enum: CALL_STATUSES, description: 'State of the call' })
  declare status: string;

  @ApiProperty({
    description: 'What was said, line by line',
    example: 'AI: Olá! Customer: Oi, quero renovar meu contrato.',
  })
  declare transcript: string;

  @FreeObject({ description: 'Collected during the call' })
  declare variables: Record<string, unknown>;

  @FreeObject({ description: 'Post-call evaluation' })
  declare evaluation: Record<string, unknown>;

  @NullableOf(
    CallVoiceResponse,
    'The voice that was heard last; null while none was, and where only words go over the line',
  )
  declare voice: CallVoiceResponse | null;

  @FreeObject({ description: 'Response of configured webhooks' })
  declare webhook_response: Record<string, unknown>;

  @ApiProperty({ description: 'USD' })
  declare carrier_cost: number;

  @ApiProperty({ description: 'USD' })
  declare total_cost: number;

  @ApiProperty({ enum: ANSWERERS, description: 'Who answered, as far as it is known' })
  declare answered_by: string;

  @NullableOf(
    CallRoutingResponse,
    'How the call was routed; null unless it came in to a number with a routing, or its customer was looked up',
  )
  declare routing: CallRoutingResponse | null;

  @ApiPropertyOptional({
    description:
      'Only when a recording is available and recording is enabled. The link needs no token, and is good for a day: read the call again for a new one. Parts are served (`Range`).',
    example:
      'https://prosa.example/api/recordings/7?expires=1769968800&signature=3yXb0m1s0hT0bq4pX4l9mZc8p2Q7d1k6w5v4u3t2s1A',
  })
  declare recording_url?: string;

  @ApiPropertyOptional({
    type: LiveCallResponse,
    nullable: true,
    description: 'What happens in the call now; only in lists with `live=true`, null when the call is over',
  })
  declare live?: LiveCallResponse | null;

  @ApiProperty(DATE_TIME)
  declare created_at: string;

  @ApiProperty(DATE_TIME)
  declare updated_at: string;
}

/** What an answer depends on besides the call. */
export interface CallReader {
  /** Of this server, as the caller knows it. */
  readonly origin: string;
  /** In which times are written. */
  readonly zone: string;
}

export function toCallResponse(call: ShownCall, { origin, zone }: CallReader): CallResponse {
  return {
    id: call.id,
    assistant_name: call.assistantName,
    ...(call.campaignName === null ? {} : { campaign_name: call.campaignName }),
    type: call.type,
    duration: call.durationSeconds,
    assistant_phone_number: call.assistantPhoneNumber ?? '',
    client_phone_number: call.clientPhoneNumber ?? '',
    status: call.status,
    transcript: call.transcript,
    variables: call.variables,
    evaluation: call.evaluation,
    voice: call.voice,
    webhook_response: call.webhookResponse,
    carrier_cost: dollarsOf(call.carrierCostMicros),
    total_cost: dollarsOf(call.carrierCostMicros + call.aiCostMicros),
    answered_by: call.answeredBy,
    routing: toRoutingResponse(call.routing),
    ...(call.recordingLink === null ? {} : { recording_url: origin + call.recordingLink }),
    ...(call.live === undefined ? {} : { live: call.live && toLiveCallResponse(call.live) }),
    created_at: toPlainTimestamp(call.createdAt, zone),
    updated_at: toPlainTimestamp(call.updatedAt, zone),
  };
}

function toRoutingResponse(routing: CallRouting | null): CallRoutingResponse | null {
  if (!routing) return null;
  const { forwardedTo, lookup, waitedMs, ...how } = routing;
  return {
    ...how,
    lookup: lookup ?? null,
    waited_ms: waitedMs ?? null,
    forwarded_to: forwardedTo ?? null,
  };
}
