import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { BillingRepository } from './billing.repository.js';

/** Of one reading; a process whose metrics were not read for long catches up over several. */
const MAX_ENTRIES = 10_000;

interface Total {
  movements: number;
  micros: number;
}

/**
 * Shows operators what moves in the wallets of the installation, as the ledger has it since the first look at this
 * process. Ids are given before the commit: a movement may appear below one that was counted, so each reading looks at
 * those of the reading before once more.
 */
@Injectable()
export class WalletMetricsService {
  private readonly totals = new Map<string, Total>();
  /** Everything up to here is counted; null before the first look. */
  private floor: string | null = null;
  /** Counted, and above the floor. */
  private counted = new Set<string>();
  private reading: Promise<void> | null = null;

  constructor(
    metrics: MetricsService,
    private readonly billing: BillingRepository,
  ) {
    this.show(metrics, 'prosa_wallet_movements_total', 'Movements of all wallets by kind', 'movements');
    this.show(metrics, 'prosa_wallet_micros_total', 'Micro-dollars moved in all wallets by kind', 'micros');
  }

  private show(metrics: MetricsService, name: string, help: string, part: keyof Total): void {
    metrics.total({
      name,
      help,
      labelNames: ['kind'],
      read: async () => {
        // Both metrics are of one reading.
        this.reading ??= this.read().finally(() => (this.reading = null));
        await this.reading;
        return [...this.totals].map(([kind, total]) => ({ labels: { kind }, value: total[part] }));
      },
    });
  }

  private async read(): Promise<void> {
    if (this.floor === null) {
      this.floor = await this.billing.newestEntryId();
      return;
    }
    const known = this.counted;
    const entries = await this.billing.entriesAfter(this.floor, MAX_ENTRIES + known.size);
    const fresh = entries.filter(({ id }) => !known.has(id));
    for (const { kind, amountMicros } of fresh) {
      const total = this.totals.get(kind) ?? { movements: 0, micros: 0 };
      this.totals.set(kind, {
        movements: total.movements + 1,
        micros: total.micros + Math.abs(amountMicros),
      });
    }
    this.floor = entries.findLast(({ id }) => known.has(id))?.id ?? this.floor;
    this.counted = new Set(fresh.map(({ id }) => id));
  }
}
