import { Module } from '@nestjs/common';
import { CallsModule } from './calls.module.js';
import { InboundCallsModule } from '../inbound-calls/inbound-calls.module.js';

/** What the worker role alone does for calls: it takes those that come in. */
@Module({
  imports: [CallsModule, InboundCallsModule],
  exports: [CallsModule],
})
export class CallWorkersModule {}
