import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { toWebhookEventResponse, WebhookEventResponse } from './dto/webhook-event.response.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@ForUser()
@Controller('user/webhook-events')
export class WebhookEventsController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookEvents',
    summary: 'List the events that this server sends, those of its plugins included',
  })
  @ApiOk(WebhookEventResponse, { isArray: true })
  list() {
    return this.webhooks.kinds().map(toWebhookEventResponse);
  }
}
