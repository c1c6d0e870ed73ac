import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiReply } from '../../../common/http/api-docs.js';
import { reply } from '../../../common/http/reply.js';
import { toSecretResponse, WebhookSecretResponse } from '../dto/webhook-secret.response.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

@ApiTags('Webhooks')
@ForUser()
@Controller('user/webhook-secret')
export class WebhookSecretController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @ApiOperation({
    operationId: 'getWebhookSecret',
    summary: 'Read the secret that signs your webhooks, after the Standard Webhooks specification',
  })
  @ApiOk(WebhookSecretResponse)
  async get(@Caller() { userId }: Principal) {
    return toSecretResponse(await this.secrets.get(userId));
  }

  @Post('rotate')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret; for 24 hours the one before signs as well',
  })
  @ApiReply(WebhookSecretResponse)
  async rotate(@Caller() { userId }: Principal) {
    return reply('webhooks.secret_rotated', toSecretResponse(await this.secrets.rotate(userId)));
  }
}
