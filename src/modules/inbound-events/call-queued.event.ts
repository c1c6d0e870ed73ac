import { ApiProperty } from '@nestjs/swagger';
import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';
import { InboundCallPayload } from './inbound-call.payload.js';

export const CALL_QUEUED = 'call.queued';

/** The `data` of the event: the fields of `call.started`, and the position of the caller. */
export class CallQueuedPayload extends InboundCallPayload {
  @ApiProperty({ type: 'integer', description: 'Id of the call' })
  declare id: number;

  @ApiProperty({
    type: 'integer',
    description: 'Among the callers who wait for the number, from 1',
    example: 2,
  })
  declare position: number;
}

export const callQueuedEvent: WebhookEventDefinition = {
  kind: CALL_QUEUED,
  payload: CallQueuedPayload,
  when: 'The caller begins to wait for a line. `assistant_id` is null until an assistant talks',
  published: true,
};
