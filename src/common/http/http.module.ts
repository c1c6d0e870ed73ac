import { Global, Module } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { Drain } from './drain.js';

@Global()
@Module({ providers: [Drain, Metrics], exports: [Drain, Metrics] })
export class HttpModule {}
