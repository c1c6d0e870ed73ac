import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { QueueHealthService } from '../../../queues/metrics/queue-health.service.js';

@Injectable()
export class QueueIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly queue: QueueHealthService,
  ) {}

  /** Never down: requests need no queue, and sweeps find their work later. */
  async check() {
    const isUp = await this.queue.isUp();
    return this.indicators.check('queue').up({ degraded: !isUp });
  }
}
