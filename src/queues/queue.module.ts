import { BullModule } from '@nestjs/bullmq';
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LiveChannel } from '../common/live/live-channel.js';
import { JobCatalog } from './job-catalog.js';
import type { JobDefinition } from './job-definition.js';
import { JobsService } from './jobs.service.js';
import { openQueueBackend, type QueueBackend } from './backend/queue-backend.js';
import { QueueHealthService } from './metrics/queue-health.service.js';
import { QueueMetricsService } from './metrics/queue-metrics.service.js';

const QUEUE_BACKEND = Symbol('queue backend');

@Injectable()
class QueueBackendLifetime implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_BACKEND) private readonly backend: QueueBackend) {}

  onApplicationShutdown(): Promise<void> {
    return this.backend.close();
  }
}

/** The queues, for producers. Workers are apart: see `WorkersModule`. */
@Global()
@Module({})
export class QueueModule {
  /** @param queries connections for statements of all queues together, where they live in PostgreSQL */
  static of(
    definitions: readonly JobDefinition[],
    databaseUrl: string,
    redisUrl: string | undefined,
    queries: number,
  ): DynamicModule {
    const backend = openQueueBackend(databaseUrl, redisUrl, queries);
    const catalog = new JobCatalog(definitions);
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: backend.connection, skipWaitingForReady: true }),
        BullModule.registerQueue(...catalog.queueNames.map((name) => ({ name }))),
      ],
      providers: [
        JobsService,
        QueueBackendLifetime,
        QueueMetricsService,
        { provide: JobCatalog, useValue: catalog },
        { provide: QUEUE_BACKEND, useValue: backend },
        { provide: LiveChannel, useValue: backend.live },
        { provide: QueueHealthService, useFactory: () => new QueueHealthService(backend) },
      ],
      exports: [JobCatalog, JobsService, LiveChannel, QueueHealthService],
    };
  }
}
