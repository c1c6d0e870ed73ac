import { ApiProperty } from '@nestjs/swagger';
import { isAccountEvent, type WebhookKind } from '../webhook-kinds.js';

export class WebhookEventResponse {
  @ApiProperty({
    description: 'Name of the event; those of plugins begin with theirs',
    example: 'call.ended',
  })
  declare kind: string;

  @ApiProperty({
    description: 'Whether webhook endpoints of the account can ask for it; others go to URLs of their own',
  })
  declare for_endpoints: boolean;
}

export function toWebhookEventResponse(kind: WebhookKind): WebhookEventResponse {
  return { kind, for_endpoints: isAccountEvent(kind) };
}
