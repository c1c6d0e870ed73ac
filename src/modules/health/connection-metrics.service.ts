import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { Database } from '../../database/database.js';
import { QueueHealthService } from '../../queues/metrics/queue-health.service.js';

/** Shows operators whether this process has enough connections to the database. */
@Injectable()
export class ConnectionMetricsService {
  constructor(metrics: MetricsService, database: Database, queue: QueueHealthService) {
    metrics.gauge({
      name: 'prosa_database_connections',
      help: 'Connections of this process to the database by pool: used, idle, and work that waits for one',
      labelNames: ['pool', 'state'],
      read: async () =>
        Object.entries({ data: database.connectionCounts, queue: queue.connectionCounts }).flatMap(
          ([pool, counts]) =>
            Object.entries(counts ?? {}).map(([state, value]) => ({ labels: { pool, state }, value })),
        ),
    });
  }
}
