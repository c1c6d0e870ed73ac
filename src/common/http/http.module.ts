import { Global, Module } from '@nestjs/common';
import { MetricsService } from '../observability/metrics.service.js';
import { BodyDeadline } from './connections/body-deadline.js';
import { DrainRegistry } from './connections/drain-registry.js';
import { DrainService } from './connections/drain.service.js';

@Global()
@Module({
  providers: [BodyDeadline, DrainRegistry, DrainService, MetricsService],
  exports: [BodyDeadline, DrainRegistry, DrainService, MetricsService],
})
export class HttpModule {}
