import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ActiveCallsRepository } from './active-calls.repository.js';

/** Shows operators how many calls there are, and what becomes of those the carrier is asked for. */
@Injectable()
export class CallMetricsService {
  private readonly count: (labels: { carrier: string; result: string }) => void;

  constructor(metrics: MetricsService, activeCalls: ActiveCallsRepository) {
    metrics.gauge({
      name: 'prosa_calls_live',
      help: 'Calls of the installation that have not ended, by stage: waiting, placing, open, evaluating',
      labelNames: ['stage'],
      read: async () =>
        (await activeCalls.countByStage()).map(({ stage, calls }) => ({ labels: { stage }, value: calls })),
    });
    this.count = metrics.counter({
      name: 'prosa_dials_total',
      help: 'Calls that this process asked a carrier for, by what it said: sent, or the kind of refusal',
      labelNames: ['carrier', 'result'],
    });
  }

  /** @param result `sent`, or a code of CallCarrierError */
  dialled(carrier: string, result: string): void {
    this.count({ carrier, result });
  }
}
