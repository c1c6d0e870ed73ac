import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { deleteOne } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { CarrierOrder } from './carrier-order.entity.js';

type NewOrder = Omit<CarrierOrder, 'attemptedAt'>;

/** What is under way at the carrier, and with whose credentials. */
export type OrderAtCarrier = Pick<CarrierOrder, 'id' | 'phoneNumber' | 'carrierAccountId'>;

/** What is to be undone: a number to be given back, or calls that are not ours any more. */
export interface OpenReturn extends OrderAtCarrier {
  readonly kind: 'release' | 'adopt';
}

@Injectable()
export class CarrierOrdersRepository {
  constructor(private readonly database: Database) {}

  /** False when another order for the number is under way. */
  open({ id, userId, phoneNumber, kind, carrierAccountId }: NewOrder, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `INSERT INTO carrier_orders (id, user_id, phone_number, kind, carrier_account_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, userId, phoneNumber, kind, carrierAccountId],
      tx,
    );
  }

  /** The orders of all accounts. */
  countAll(): Promise<number> {
    return this.database.manager().count(CarrierOrder);
  }

  /** Forgets the orders of all accounts: the numbers stay as they are at the carrier. */
  async dropAll(tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM carrier_orders', [], tx);
  }

  countOf(userId: number): Promise<number> {
    return this.database.manager().countBy(CarrierOrder, { userId });
  }

  /** Ends an order; false when it has become another kind or is gone, because someone else took it over. */
  close(id: string, kind: CarrierOrder['kind'], tx?: Tx): Promise<boolean> {
    return deleteOne(this.database.manager(tx), CarrierOrder, { id, kind });
  }

  /** Ends all orders of an account with credentials of its own; returns them. */
  deleteOwn(userId: number): Promise<OrderAtCarrier[]> {
    return this.database.query<OrderAtCarrier>(
      `DELETE FROM carrier_orders WHERE user_id = $1 AND carrier_account_id IS NOT NULL
       RETURNING id, phone_number AS "phoneNumber", carrier_account_id AS "carrierAccountId"`,
      [userId],
    );
  }

  /** Turns a purchase without a good end into a release; false when someone else took it over. */
  abandon(id: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE carrier_orders SET kind = 'release', attempted_at = now() WHERE id = $1 AND kind = 'buy' RETURNING id`,
      [id],
    );
  }

  /** Takes an order up again; false when it has ended, or someone else ended it. */
  retake(id: string, kind: CarrierOrder['kind']): Promise<boolean> {
    return this.database.matches(
      'UPDATE carrier_orders SET attempted_at = now() WHERE id = $1 AND kind = $2 RETURNING id',
      [id, kind],
    );
  }

  /** Takes over the oldest order that was not touched for `olderThanMs`: to be undone, a purchase as a release. */
  claimStale(olderThanMs: number): Promise<OpenReturn | null> {
    return this.database.first<OpenReturn>(
      `UPDATE carrier_orders SET kind = CASE kind WHEN 'adopt' THEN kind ELSE 'release' END, attempted_at = now()
       WHERE id = (
         SELECT id FROM carrier_orders WHERE attempted_at < now() - make_interval(secs => $1)
         ORDER BY attempted_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, phone_number AS "phoneNumber", carrier_account_id AS "carrierAccountId"`,
      [olderThanMs / 1000],
    );
  }
}

/** The carrier took so long that the sweep has undone the order. */
export class OrderTakenOverError extends Error {
  override readonly name = 'OrderTakenOverError';
}
