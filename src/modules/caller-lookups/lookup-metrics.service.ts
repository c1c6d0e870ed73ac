import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { LOOKUP_STATUSES } from '../../common/phone/call-routing.js';
import type { LookupResult } from './lookup.js';

const BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5];

/** Shows operators whether lookups of callers are answered. */
@Injectable()
export class LookupMetricsService {
  private readonly totals = new Map(LOOKUP_STATUSES.map((status) => [status, 0]));
  private readonly observe: (labels: Record<string, string>, seconds: number) => void;

  constructor(metrics: MetricsService) {
    metrics.total({
      name: 'prosa_lookups_total',
      help: 'Lookups of callers at servers of accounts, by outcome',
      labelNames: ['status'],
      read: async () => [...this.totals].map(([status, value]) => ({ labels: { status }, value })),
    });
    this.observe = metrics.histogram(
      {
        name: 'prosa_lookup_seconds',
        help: 'How long lookups of callers took, by outcome; those that were not sent are left out',
        labelNames: ['status'],
      },
      BUCKETS_SECONDS,
    );
  }

  /** Counts a lookup. @param wasSent whether the server was asked */
  finished({ status, ms }: Pick<LookupResult, 'status' | 'ms'>, wasSent: boolean): void {
    this.totals.set(status, (this.totals.get(status) ?? 0) + 1);
    if (wasSent) this.observe({ status }, ms / 1_000);
  }
}
