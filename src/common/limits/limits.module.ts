import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OpenStreams } from './open-streams.js';
import { RateLimits } from './rate-limits.js';
import { RateLimitsGuard } from './rate-limits.guard.js';

@Global()
@Module({
  providers: [OpenStreams, RateLimits, { provide: APP_GUARD, useClass: RateLimitsGuard }],
  exports: [OpenStreams, RateLimits],
})
export class LimitsModule {}
