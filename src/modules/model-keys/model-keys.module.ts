import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ModelKeysController } from './model-keys.controller.js';
import { ModelKeysRepository } from './model-keys.repository.js';
import { ModelKeysService } from './model-keys.service.js';

@Module({
  imports: [LlmModule, WebhooksModule],
  controllers: [ModelKeysController],
  providers: [ModelKeysRepository, ModelKeysService],
})
export class ModelKeysModule {}
