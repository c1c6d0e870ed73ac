import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** What is waiting for delivery, of all accounts. */
export interface WebhookBacklog {
  readonly pending: number;
  /** Of the one that has been due for longest; 0 when none is. */
  readonly overdueSeconds: number;
}

@Injectable()
export class WebhookBacklogRepository {
  constructor(private readonly database: Database) {}

  async read(): Promise<WebhookBacklog> {
    const [row] = await this.database.query<WebhookBacklog>(
      `SELECT count(*)::int AS pending,
         coalesce(greatest(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float8 AS "overdueSeconds"
       FROM webhook_deliveries WHERE status = 'pending'`,
    );
    return row ?? { pending: 0, overdueSeconds: 0 };
  }

  /** Forgets what was not delivered. The events are sent by no process then. */
  async drop(tx: Tx): Promise<void> {
    await this.database.query("DELETE FROM webhook_deliveries WHERE status = 'pending'", [], tx);
  }
}
