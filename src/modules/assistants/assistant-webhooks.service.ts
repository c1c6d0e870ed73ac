import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import type { AssistantConfig } from './settings/assistant-config.js';
import { completeConfig } from './settings/assistant-fields.js';
import { Assistant } from './assistant.entity.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import { AssistantsRepository } from './assistants.repository.js';
import { webhookSettingsOf } from './settings/webhook-settings.js';

type WebhookSettings = Partial<
  Pick<
    AssistantConfig,
    'is_webhook_active' | 'webhook_url' | 'inbound_webhook_url' | 'conversation_ended_webhook_url'
  >
>;

/** Switches the webhooks of an assistant. */
@Injectable()
export class AssistantWebhooksService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AssistantNotFoundError */
  switch(userId: number, assistantId: number, settings: WebhookSettings): Promise<void> {
    return this.transactions.run(async (tx) => {
      const assistant = await this.assistants.findLocked(userId, assistantId, tx);
      if (!assistant) throw new AssistantNotFoundError();
      const config = { ...completeConfig(assistant.config), ...settings };
      await this.assistants.change(Object.assign(new Assistant(), assistant, { config }), null, tx);
      const changes = webhookSettingsOf(config, settings);
      await this.webhooks.settingsChanged(userId, assistantId, changes, tx);
    });
  }
}
