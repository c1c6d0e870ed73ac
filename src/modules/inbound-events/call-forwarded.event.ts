import { ApiProperty } from '@nestjs/swagger';
import { NullableEnum } from '../../common/http/response-fields.js';
import { ROUTING_REASONS, type RoutingReason } from '../../common/phone/call-routing.js';
import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';
import { InboundCallPayload } from './inbound-call.payload.js';

export const CALL_FORWARDED = 'call.forwarded';

/** The `data` of the event: the fields of `call.started`, and where the call goes. */
export class CallForwardedPayload extends InboundCallPayload {
  @ApiProperty({ type: 'integer', description: 'Id of the call' })
  declare id: number;

  @ApiProperty({ description: 'The number that is called for the caller', example: '+551130000009' })
  declare forwarded_to: string;

  @NullableEnum(ROUTING_REASONS, { description: 'Why the call does not take the part for open hours' })
  declare reason: RoutingReason | null;
}

export const callForwardedEvent: WebhookEventDefinition = {
  kind: CALL_FORWARDED,
  payload: CallForwardedPayload,
  when: 'Prosa begins to connect a call that came in with another number. `call.status-changed` tells whether that one answers',
  published: true,
};
