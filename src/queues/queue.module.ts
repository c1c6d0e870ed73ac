import { BullModule } from '@nestjs/bullmq';
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { queueNames } from './job-definitions.js';
import { Jobs } from './jobs.service.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueHealthService } from './queue-health.service.js';

const QUEUE_BACKEND = Symbol('queue backend');

@Injectable()
class QueueBackendLifetime implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_BACKEND) private readonly backend: QueueBackend) {}

  onApplicationShutdown(): Promise<void> {
    return this.backend.close();
  }
}

/** The queues, for whoever enqueues. Workers are apart: see `WorkersModule`. */
@Global()
@Module({})
export class QueueModule {
  static of(databaseUrl: string, redisUrl: string | undefined, queries: number): DynamicModule {
    const backend = openQueueBackend(databaseUrl, redisUrl, queries);
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: backend.connection, skipWaitingForReady: true }),
        BullModule.registerQueue(...queueNames.map((name) => ({ name }))),
      ],
      providers: [
        Jobs,
        QueueBackendLifetime,
        { provide: QUEUE_BACKEND, useValue: backend },
        { provide: QueueHealthService, useFactory: () => new QueueHealthService(backend) },
      ],
      exports: [Jobs, QueueHealthService],
    };
  }
}
