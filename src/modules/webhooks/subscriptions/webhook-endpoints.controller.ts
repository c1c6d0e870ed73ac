import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done, reply } from '../../../common/http/reply.js';
import { ReadBack } from '../../../common/http/requests/read-back.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { toDeliveryResponse, WebhookDeliveryResponse } from '../dto/webhook-delivery.response.js';
import { toSecretResponse, WebhookSecretResponse } from '../dto/webhook-secret.response.js';
import {
  CreateWebhookEndpointRequest,
  UpdateWebhookEndpointRequest,
} from './dto/webhook-endpoint.request.js';
import { toWebhookEndpointResponse, WebhookEndpointResponse } from './dto/webhook-endpoint.response.js';
import { SubscriptionSecretsService } from './subscription-secrets.service.js';
import { WebhookSubscriptionsService } from './webhook-subscriptions.service.js';

@ApiTags('Webhooks')
@ForUser()
@Controller('user/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookSubscriptionsService,
    private readonly secrets: SubscriptionSecretsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of the account, oldest first; there are ten at most',
  })
  @ApiOk(WebhookEndpointResponse, { isArray: true })
  async list(@Caller() caller: Principal) {
    const endpoints = await this.endpoints.list(caller.userId);
    return endpoints.map((endpoint) => toWebhookEndpointResponse(endpoint, caller));
  }

  @Post()
  @Idempotent()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Register a URL for events of the account; what happens after the answer is sent there',
  })
  @ApiReply(WebhookEndpointResponse, 201)
  @ApiMessageErrors(422)
  async create(@Caller() caller: Principal, @Body() body: CreateWebhookEndpointRequest) {
    const created = await this.endpoints.create(caller.userId, body);
    return reply('webhooks.endpoint_created', toWebhookEndpointResponse(created, caller));
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiOk(WebhookEndpointResponse)
  async get(@Caller() caller: Principal, @IdParam() id: number) {
    return toWebhookEndpointResponse(await this.endpoints.get(caller.userId, id), caller);
  }

  @Put(':id')
  @ReadBack(WebhookEndpointResponse)
  @ApiOperation({
    operationId: 'updateWebhookEndpoint',
    summary: 'Change the fields that are sent; what waits for an endpoint that is switched off is given up',
  })
  @ApiReply(WebhookEndpointResponse)
  async update(
    @Caller() caller: Principal,
    @IdParam() id: number,
    @Body() body: UpdateWebhookEndpointRequest,
  ) {
    const updated = await this.endpoints.update(caller.userId, id, body);
    return reply('webhooks.endpoint_updated', toWebhookEndpointResponse(updated, caller));
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint with its deliveries',
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.endpoints.delete(userId, id);
    return done('webhooks.endpoint_deleted');
  }

  @Post(':id/test')
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send the event webhook.test, in one try; read the delivery to see the outcome',
  })
  @ApiReply(WebhookDeliveryResponse)
  async test(@Caller() caller: Principal, @IdParam() id: number) {
    const delivery = await this.endpoints.test(caller.userId, id);
    return reply('webhooks.endpoint_tested', toDeliveryResponse(delivery, caller));
  }

  @Get(':id/secret')
  @ApiOperation({
    operationId: 'getWebhookEndpointSecret',
    summary:
      'Read the secret that signs what is sent to this endpoint, after the Standard Webhooks specification',
  })
  @ApiOk(WebhookSecretResponse)
  async secret(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toSecretResponse(await this.secrets.get(userId, id));
  }

  @Post(':id/secret/rotate')
  @ApiOperation({
    operationId: 'rotateWebhookEndpointSecret',
    summary: 'Make a new secret; for 24 hours the one before signs as well',
  })
  @ApiReply(WebhookSecretResponse)
  async rotate(@Caller() { userId }: Principal, @IdParam() id: number) {
    return reply('webhooks.secret_rotated', toSecretResponse(await this.secrets.rotate(userId, id)));
  }
}
