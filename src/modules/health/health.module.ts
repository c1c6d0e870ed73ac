import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { CallsModule } from '../calls/calls.module.js';
import { ConnectionMetricsService } from './connection-metrics.service.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

@Module({
  imports: [CallsModule, TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' })],
  controllers: [HealthController, MetricsController],
  providers: [ConnectionMetricsService],
})
export class HealthModule {}
