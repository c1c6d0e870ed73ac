import { Module } from '@nestjs/common';
import { ChatModelRegistry } from './chat-model-registry.js';

@Module({
  providers: [ChatModelRegistry],
  exports: [ChatModelRegistry],
})
export class LlmModule {}
