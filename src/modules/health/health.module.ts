import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { ActiveCallsModule } from '../active-calls/active-calls.module.js';
import { VoiceWorkersModule } from '../voice-workers/voice-workers.module.js';
import { BackupMetricsService } from './backup-metrics.service.js';
import { BackupsRepository } from './backups.repository.js';
import { DependencyMetricsService } from './dependency-metrics.service.js';
import { HealthController } from './health.controller.js';
import { CallsIndicator } from './indicators/calls.indicator.js';
import { DatabaseIndicator } from './indicators/database.indicator.js';
import { QueueIndicator } from './indicators/queue.indicator.js';
import { StorageIndicator } from './indicators/storage.indicator.js';
import { TrafficIndicator } from './indicators/traffic.indicator.js';
import { MetricsController } from './metrics.controller.js';

@Module({
  imports: [
    ActiveCallsModule,
    StorageModule,
    VoiceWorkersModule,
    TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' }),
  ],
  controllers: [HealthController, MetricsController],
  providers: [
    BackupMetricsService,
    BackupsRepository,
    CallsIndicator,
    DependencyMetricsService,
    DatabaseIndicator,
    QueueIndicator,
    StorageIndicator,
    TrafficIndicator,
  ],
})
export class HealthModule {}
