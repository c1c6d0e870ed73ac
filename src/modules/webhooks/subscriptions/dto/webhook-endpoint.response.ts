import { ApiProperty } from '@nestjs/swagger';
import { TimestampedResponse } from '#src/common/http/response-fields.js';
import type { Principal } from '#src/common/auth/principal.js';
import { shownUrl } from '#src/common/auth/shown-url.js';
import { toEndpointHealth, WebhookEndpointHealthResponse } from '../../dto/webhook-delivery.response.js';
import type { SubscriptionRow } from '../webhook-subscriptions.repository.js';

export class WebhookEndpointResponse extends TimestampedResponse {
  @ApiProperty({
    format: 'uri',
    example: 'https://example.com/prosa-events',
    description:
      'Address of the receiver; values of its query are hidden from callers without the scope `admin`',
  })
  declare url: string;

  @ApiProperty({ description: 'For people', example: 'CRM' })
  declare description: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description:
      'Events that are sent, those of a plugin that was removed included; null: all, those that are yet to come included',
    example: ['call.started', 'call.ended'],
  })
  declare events: string[] | null;

  @ApiProperty({ description: 'Whether events are written for it' })
  declare enabled: boolean;

  @ApiProperty({
    type: WebhookEndpointHealthResponse,
    description: 'How the URL has been doing, with all that is sent there',
  })
  declare health: WebhookEndpointHealthResponse;
}

export function toWebhookEndpointResponse(
  { subscription, endpoint }: SubscriptionRow,
  caller: Principal,
): WebhookEndpointResponse {
  return {
    id: subscription.id,
    url: shownUrl(endpoint.url, caller),
    description: subscription.description,
    events: subscription.events,
    enabled: subscription.enabled,
    health: toEndpointHealth(endpoint),
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}
