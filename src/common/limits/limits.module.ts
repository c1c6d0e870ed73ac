import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimits } from './rate-limits.js';
import { RateLimitsGuard } from './rate-limits.guard.js';

@Module({
  providers: [RateLimits, { provide: APP_GUARD, useClass: RateLimitsGuard }],
  exports: [RateLimits],
})
export class LimitsModule {}
