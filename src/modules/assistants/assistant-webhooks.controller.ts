import { applyDecorators, Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../common/http/api-docs.js';
import { reply } from '../../common/http/reply.js';
import { AssistantWebhooksService } from './assistant-webhooks.service.js';
import { AssistantRequest, EnableWebhookRequest } from './dto/webhook.request.js';

class WebhookSwitchResponse extends MessageResponse {
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0, description: 'Empty; reserved' })
  declare data: never[];
}

function Switch(name: string, summary: string): MethodDecorator {
  const operationId = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return applyDecorators(
    Post(name),
    ApiOperation({ operationId, summary }),
    ApiOk(WebhookSwitchResponse),
    ApiMessageErrors(404),
  );
}

@ApiTags('Assistant webhooks')
@ForUser()
@Controller('user/assistants')
export class AssistantWebhooksController {
  constructor(private readonly webhooks: AssistantWebhooksService) {}

  @Switch('enable-webhook', 'Deliver an event after each call')
  async enable(@Caller() { userId }: Principal, @Body() body: EnableWebhookRequest) {
    const settings = { is_webhook_active: true, webhook_url: body.webhook_url };
    await this.webhooks.switch(userId, body.assistant_id, settings);
    return reply('assistants.webhook_enabled', []);
  }

  @Switch('disable-webhook', 'Stop the events after calls')
  async disable(@Caller() { userId }: Principal, @Body() body: AssistantRequest) {
    await this.webhooks.switch(userId, body.assistant_id, { is_webhook_active: false, webhook_url: null });
    return reply('assistants.webhook_disabled', []);
  }

  @Switch('enable-inbound-webhook', 'Deliver real-time updates on inbound calls')
  async enableInbound(@Caller() { userId }: Principal, @Body() body: EnableWebhookRequest) {
    await this.webhooks.switch(userId, body.assistant_id, { inbound_webhook_url: body.webhook_url });
    return reply('assistants.inbound_webhook_enabled', []);
  }

  @Switch('disable-inbound-webhook', 'Stop the real-time updates on inbound calls')
  async disableInbound(@Caller() { userId }: Principal, @Body() body: AssistantRequest) {
    await this.webhooks.switch(userId, body.assistant_id, { inbound_webhook_url: null });
    return reply('assistants.inbound_webhook_disabled', []);
  }

  @Switch('enable-conversation-ended-webhook', 'Deliver an event when a chat conversation ends')
  async enableConversationEnded(@Caller() { userId }: Principal, @Body() body: EnableWebhookRequest) {
    await this.webhooks.switch(userId, body.assistant_id, {
      conversation_ended_webhook_url: body.webhook_url,
    });
    return reply('assistants.conversation_webhook_enabled', []);
  }

  @Switch('disable-conversation-ended-webhook', 'Stop the events when a chat conversation ends')
  async disableConversationEnded(@Caller() { userId }: Principal, @Body() body: AssistantRequest) {
    await this.webhooks.switch(userId, body.assistant_id, { conversation_ended_webhook_url: null });
    return reply('assistants.conversation_webhook_disabled', []);
  }
}
