import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { NumberRouting } from './number-routing.js';
import { NumberRoutingRow } from './number-routing.entity.js';

@Injectable()
export class NumberRoutingsRepository {
  constructor(private readonly database: Database) {}

  /** Of the numbers that have a routing, by their ids. */
  async findOf(
    userId: number,
    phoneNumberIds: readonly number[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, NumberRouting>> {
    if (phoneNumberIds.length === 0) return new Map();
    const rows = await this.database.findPrepared(
      NumberRoutingRow,
      'user_id = $1 AND phone_number_id = ANY($2::int[])',
      [userId, phoneNumberIds],
      tx,
    );
    return new Map(rows.map((row) => [row.phoneNumberId, row]));
  }

  /** The same of numbers of any account: an incoming call identifies none. */
  async findCalled(phoneNumberIds: readonly number[]): Promise<ReadonlyMap<number, NumberRouting>> {
    if (phoneNumberIds.length === 0) return new Map();
    const rows = await this.database.findPrepared(NumberRoutingRow, 'phone_number_id = ANY($1::int[])', [
      phoneNumberIds,
    ]);
    return new Map(rows.map((row) => [row.phoneNumberId, row]));
  }

  async put(
    userId: number,
    phoneNumberId: number,
    { hours, closed, unavailable, lookupUrl, lookupTimeoutMs, queue }: NumberRouting,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO number_routings
         (phone_number_id, user_id, hours, closed, unavailable, lookup_url, lookup_timeout_ms, queue)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (phone_number_id) DO UPDATE SET hours = excluded.hours, closed = excluded.closed,
         unavailable = excluded.unavailable, lookup_url = excluded.lookup_url,
         lookup_timeout_ms = excluded.lookup_timeout_ms, queue = excluded.queue, updated_at = now()`,
      [
        phoneNumberId,
        userId,
        hours && JSON.stringify(hours),
        JSON.stringify(closed),
        JSON.stringify(unavailable),
        lookupUrl,
        lookupTimeoutMs,
        queue && JSON.stringify(queue),
      ],
      tx,
    );
  }

  async delete(userId: number, phoneNumberId: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(NumberRoutingRow, { userId, phoneNumberId });
  }
}
