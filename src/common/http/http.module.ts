import { Global, Module } from '@nestjs/common';
import { MetricsService } from '../observability/metrics.service.js';
import { BodyDeadline } from './connections/body-deadline.js';
import { DrainService } from './connections/drain.service.js';

@Global()
@Module({
  providers: [BodyDeadline, DrainService, MetricsService],
  exports: [BodyDeadline, DrainService, MetricsService],
})
export class HttpModule {}
