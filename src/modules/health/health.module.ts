import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { ConnectionMetricsService } from './connection-metrics.service.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

@Module({
  imports: [
    ActiveCallsModule,
    VoiceWorkersModule,
    TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' }),
  ],
  controllers: [HealthController, MetricsController],
  providers: [ConnectionMetricsService],
})
export class HealthModule {}
