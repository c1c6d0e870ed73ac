import { Module } from '@nestjs/common';
import { SessionFactories } from './session-factories.js';

/** Shares one {@link SessionFactories} between the modules that run calls and the voice role, which adds the one for audio. */
@Module({ providers: [SessionFactories], exports: [SessionFactories] })
export class SessionFactoriesModule {}
