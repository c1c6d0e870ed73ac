import { Injectable } from '@nestjs/common';
import { BoundedQuestion } from '../../common/concurrency/bounded-question.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { Database } from '../../database/database.js';
import { StorageHealthService } from '../../providers/storage/storage-health.service.js';
import { QueueHealthService } from '../../queues/metrics/queue-health.service.js';

/** Within the second that a reading may take. */
const PING_MS = 800;

/** Shows operators whether database, queue and storage answer this process, and whether it has enough connections to them. */
@Injectable()
export class DependencyMetricsService {
  constructor(
    metrics: MetricsService,
    database: Database,
    queue: QueueHealthService,
    storage: StorageHealthService,
  ) {
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
    const data = new BoundedQuestion(() => database.query('SELECT 1').then(() => true), PING_MS, false);
    metrics.gauge({
      name: 'prosa_dependency_up',
      help: 'Whether a system that this process needs answers it within a second: 1 or 0',
      labelNames: ['name'],
      read: async () => {
        const answers = { database: data.ask(), queue: queue.isUp(), storage: storage.isUp() };
        return Promise.all(
          Object.entries(answers).map(async ([name, answer]) => ({
            labels: { name },
            value: (await answer) ? 1 : 0,
          })),
        );
      },
    });
  }
}
