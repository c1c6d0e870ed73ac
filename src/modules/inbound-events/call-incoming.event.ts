import { ApiProperty } from '@nestjs/swagger';
import {
  NullableEnum,
  NullableInteger,
  NullableOf,
  NullableText,
} from '../../common/http/response-fields.js';
import {
  type CallLookup,
  type CallRouting,
  ROUTING_ACTIONS,
  ROUTING_BRANCHES,
  ROUTING_REASONS,
} from '../../common/phone/call-routing.js';
import { CallLookupResponse } from '../calls/dto/call.response.js';
import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';
import { InboundCallPayload } from './inbound-call.payload.js';

export const CALL_INCOMING = 'call.incoming';

class IncomingRoutingPayload {
  @ApiProperty({ enum: ROUTING_BRANCHES, description: 'Which part of the routing the call takes' })
  declare branch: CallRouting['branch'];

  @ApiProperty({
    enum: ROUTING_ACTIONS,
    description: '`busy`: the caller is turned away; `reject`: the owner’s server has turned the caller away',
  })
  declare action: CallRouting['action'];

  @NullableEnum(ROUTING_REASONS, {
    description: 'Why it does not take the part for open hours; null where it does',
  })
  declare reason: CallRouting['reason'];

  @NullableOf(
    CallLookupResponse,
    'The question to the owner’s server who the customer is; null where none was sent',
  )
  declare lookup: CallLookup | null;

  @NullableText({
    example: '+551130000009',
    description: 'The number that the caller is forwarded to; null for other actions than `forward`',
  })
  declare forwarded_to: string | null;
}

/** The `data` of the event: the fields of `call.started`, and how the call is routed. */
export class CallIncomingPayload extends InboundCallPayload {
  @NullableInteger({
    description: 'Id of the call; null for one that was turned away by a number without a routing',
  })
  declare id: number | null;

  @ApiProperty({ type: 'integer', description: 'Id of the number that is called' })
  declare phone_number_id: number;

  @NullableOf(IncomingRoutingPayload, 'How the call is routed; null for a number without a routing')
  declare routing: IncomingRoutingPayload | null;
}

export const callIncomingEvent: WebhookEventDefinition = {
  kind: CALL_INCOMING,
  payload: CallIncomingPayload,
  when: 'A call comes in to a number of the account, before it is answered or after its caller was turned away',
  published: true,
};
