import { Global, Module } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { BodyDeadline } from './body-deadline.js';
import { Drain } from './drain.js';

@Global()
@Module({ providers: [BodyDeadline, Drain, Metrics], exports: [BodyDeadline, Drain, Metrics] })
export class HttpModule {}
