import { Module } from '@nestjs/common';
import { ChatModelRegistry } from './chat-model-registry.js';

/** Expects `LLM_OPTIONS` from a global module of the application. */
@Module({ providers: [ChatModelRegistry], exports: [ChatModelRegistry] })
export class LlmModule {}
