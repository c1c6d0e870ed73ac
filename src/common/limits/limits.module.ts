import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OpenStreamsService } from './open-streams.service.js';
import { RateLimitsService } from './rate-limits.service.js';
import { RateLimitsGuard } from './rate-limits.guard.js';
import { UnprovenRequestsService } from './unproven-requests.service.js';

@Global()
@Module({
  providers: [
    OpenStreamsService,
    RateLimitsService,
    UnprovenRequestsService,
    { provide: APP_GUARD, useClass: RateLimitsGuard },
  ],
  exports: [OpenStreamsService, RateLimitsService, UnprovenRequestsService],
})
export class LimitsModule {}
