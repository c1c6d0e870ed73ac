import { ApiProperty } from '@nestjs/swagger';
import {
  DatedResponse,
  FreeObject,
  NullableEnum,
  NullableInteger,
  NullableMoment,
  NullableText,
} from '../../../common/http/response-fields.js';
import type { Principal } from '../../../common/auth/principal.js';
import { shownUrl } from '../../../common/auth/shown-url.js';
import type { WebhookAttempt } from '../delivery/webhook-attempt.entity.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  FAILURE_REASONS,
  type FailureReason,
} from '../webhook-delivery.entity.js';
import type { DisabledReason, WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { DeliveryRow } from '../webhooks.repository.js';
import type { DeliveryDetails } from '../webhooks.service.js';

const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const;

export class WebhookEndpointHealthResponse {
  @ApiProperty({
    enum: ENDPOINT_STATUSES,
    description: 'paused: it fails too often and is tried now and then; disabled: until its URL is set again',
  })
  declare status: (typeof ENDPOINT_STATUSES)[number];

  @NullableEnum(['gone', 'failing'], { description: 'Why nothing is delivered there; null while it is' })
  declare disabled_reason: DisabledReason | null;

  @NullableMoment('Since when nothing is delivered there')
  declare disabled_at: string | null;
}

export class WebhookDeliveryResponse extends DatedResponse {
  @ApiProperty({ description: 'The `webhook-id` of every try', example: 'msg_2f1c…' })
  declare event_id: string;

  @ApiProperty({
    description:
      'Which event it is, of those that `GET /user/webhook-events` lists or of a plugin that was removed',
    example: 'post-call',
  })
  declare kind: string;

  @ApiProperty({ description: 'Id of the call, conversation, campaign or alert', example: '1' })
  declare subject_id: string;

  @NullableInteger({
    description: 'The webhook endpoint that asked for the event; null when settings of an assistant did',
    example: null,
  })
  declare webhook_endpoint_id: number | null;

  @ApiProperty({
    format: 'uri',
    description:
      'Address of the receiver; values of its query are hidden from callers without the scope `admin`',
    example: 'https://example.com/prosa-events',
  })
  declare url: string;

  @ApiProperty({ enum: DELIVERY_STATUSES, description: 'State' })
  declare status: DeliveryStatus;

  @NullableEnum(FAILURE_REASONS, { description: 'Why it was given up; null while it was not' })
  declare failure_reason: FailureReason | null;

  @ApiProperty({ type: 'integer', description: 'Tries so far' })
  declare attempts_count: number;

  @NullableInteger({ description: 'HTTP status of the last answer' })
  declare last_status_code: number | null;

  @NullableText({ description: 'Why the last try had no answer' })
  declare last_error: string | null;

  @NullableMoment('Null once nothing is due')
  declare next_attempt_at: string | null;

  @ApiProperty({ type: WebhookEndpointHealthResponse, description: 'How its URL has been doing' })
  declare endpoint: WebhookEndpointHealthResponse;

  @NullableMoment('When it was delivered or given up')
  declare finished_at: string | null;
}

export class WebhookAttemptResponse {
  @ApiProperty({ type: 'integer', description: 'Number of the try, from 1' })
  declare number: number;

  @ApiProperty({ format: 'date-time', description: 'When it began, ISO 8601 in UTC' })
  declare started_at: string;

  @NullableInteger({ description: 'Null while it runs, or when it was cut' })
  declare duration_ms: number | null;

  @NullableInteger({ description: 'HTTP status of the answer; null when there was none' })
  declare status_code: number | null;

  @NullableText({ example: 'timeout', description: 'Why it failed; null where it did not' })
  declare error: string | null;

  @NullableText({ description: 'At most 20,000 bytes of the answer', example: '{"ok":true}' })
  declare response_body: string | null;
}

export class WebhookDeliveryDetailsResponse extends WebhookDeliveryResponse {
  @FreeObject({ description: 'What is sent' })
  declare payload: unknown;

  @ApiProperty({ type: [WebhookAttemptResponse], description: 'One entry for each try' })
  declare attempts: WebhookAttemptResponse[];
}

export function toDeliveryResponse(
  { delivery, endpoint, lastAttempt }: DeliveryRow,
  caller: Principal,
): WebhookDeliveryResponse {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    kind: delivery.kind,
    subject_id: delivery.subjectId,
    webhook_endpoint_id: delivery.subscriptionId,
    url: shownUrl(endpoint.url, caller),
    status: delivery.status,
    failure_reason: delivery.failedBecause,
    attempts_count: delivery.attempts,
    last_status_code: lastAttempt?.statusCode ?? null,
    last_error: lastAttempt?.error ?? null,
    next_attempt_at: delivery.status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    endpoint: toEndpointHealth(endpoint),
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}

export function toDetailsResponse(
  details: DeliveryDetails,
  caller: Principal,
): WebhookDeliveryDetailsResponse {
  return Object.assign(toDeliveryResponse(details, caller), {
    payload: JSON.parse(details.body) as unknown,
    attempts: details.attempts.map(toAttempt),
  });
}

export function toEndpointHealth({
  disabledAt,
  disabledBecause,
  openUntil,
}: WebhookEndpoint): WebhookEndpointHealthResponse {
  return {
    status: disabledAt ? 'disabled' : openUntil ? 'paused' : 'active',
    disabled_reason: disabledBecause,
    disabled_at: disabledAt?.toISOString() ?? null,
  };
}

function toAttempt(attempt: WebhookAttempt): WebhookAttemptResponse {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  };
}
