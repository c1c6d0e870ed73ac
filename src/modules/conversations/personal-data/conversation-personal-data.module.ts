import { Module } from '@nestjs/common';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { ConversationExpiryRepository } from './conversation-expiry.repository.js';
import { ConversationExpiryService } from './conversation-expiry.service.js';
import { ConversationPersonalDataService } from './conversation-personal-data.service.js';
import { ConversationPersonalDataRepository } from './conversation-personal-data.repository.js';

/** Retention and erasure of conversations. */
@Module({
  imports: [WebhooksModule],
  providers: [
    ConversationExpiryRepository,
    ConversationExpiryService,
    ConversationPersonalDataService,
    ConversationPersonalDataRepository,
  ],
  exports: [ConversationExpiryService, ConversationPersonalDataService],
})
export class ConversationPersonalDataModule {}
