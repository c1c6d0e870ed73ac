import { Module } from '@nestjs/common';
import { ModelConfig } from '../../config/config.js';
import { ChatModelRegistry } from './chat-model-registry.js';
import { LLM_OPTIONS } from './llm-options.js';

@Module({
  providers: [ChatModelRegistry, { provide: LLM_OPTIONS, useExisting: ModelConfig }],
  exports: [ChatModelRegistry],
})
export class LlmModule {}
