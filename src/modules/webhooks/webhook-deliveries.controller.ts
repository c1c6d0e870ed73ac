import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiPage, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentAddress, PageAddress, pageRequestOf, toPageResponse } from '../../common/http/page.js';
import { reply } from '../../common/http/reply.js';
import { filterOf, ListDeliveriesQuery } from './dto/webhook-delivery.request.js';
import {
  toDeliveryResponse,
  toDetailsResponse,
  WebhookDeliveryDetailsResponse,
  WebhookDeliveryResponse,
} from './dto/webhook-delivery.response.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@ForUser()
@Controller('user/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List the webhook deliveries, newest first',
  })
  @ApiPage(WebhookDeliveryResponse)
  async list(
    @Caller() caller: Principal,
    @Query() query: ListDeliveriesQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    const deliveries = await this.webhooks.list(caller.userId, filterOf(query), page);
    return toPageResponse(deliveries, page, address, (row) => toDeliveryResponse(row, caller));
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'Read a webhook delivery with its payload and every try',
  })
  @ApiOk(WebhookDeliveryDetailsResponse)
  async get(@Caller() caller: Principal, @IdParam() id: number) {
    return toDetailsResponse(await this.webhooks.get(caller.userId, id), caller);
  }

  @Post(':id/replay')
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Deliver again under the same event id; a disabled endpoint is enabled again',
  })
  @ApiReply(WebhookDeliveryResponse)
  async replay(@Caller() caller: Principal, @IdParam() id: number) {
    const delivery = await this.webhooks.replay(caller.userId, id);
    return reply('webhooks.replayed', toDeliveryResponse(delivery, caller));
  }
}
