import { Module } from '@nestjs/common';
import { LlmModule } from '../../providers/llm/llm.module.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ChatKeysController } from './chat-keys.controller.js';
import { ChatModelSourceController } from './chat-model-source.controller.js';
import { ChatKeysService } from './chat-keys.service.js';
import { ModelKeyVault } from './model-key-vault.service.js';
import { ModelKeysRepository } from './model-keys.repository.js';
import { SpeechKeysController } from './speech-keys.controller.js';
import { SpeechKeysService } from './speech-keys.service.js';

@Module({
  imports: [LlmModule, SpeechModule, WebhooksModule],
  controllers: [ChatKeysController, ChatModelSourceController, SpeechKeysController],
  providers: [ModelKeysRepository, ModelKeyVault, ChatKeysService, SpeechKeysService],
})
export class ModelKeysModule {}
