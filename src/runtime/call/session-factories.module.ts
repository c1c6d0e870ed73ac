import { Module } from '@nestjs/common';
import { CallTalks } from './session-factories.js';

/** Shares one {@link CallTalks} between the modules that talk on calls and the voice role, which brings the voice. */
@Module({ providers: [CallTalks], exports: [CallTalks] })
export class CallTalksModule {}
