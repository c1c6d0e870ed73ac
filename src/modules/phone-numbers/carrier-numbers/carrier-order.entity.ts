import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/**
 * An order that is under way at the carrier. The row is written before the carrier is asked and deleted when the
 * outcome is recorded. A crash therefore leaves no number rented, or routed to us, without an owner. One at a time
 * for a number.
 */
@Entity('carrier_orders')
@Unique('carrier_orders_phone_number_key', ['phoneNumber'])
@Index('carrier_orders_attempted_at_idx', ['attemptedAt'])
@Check('carrier_orders_kind_known', "kind IN ('buy', 'release', 'adopt')")
export class CarrierOrder extends OwnedRow {
  /** Also the key under which the carrier knows the purchase. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'carrier_orders_pkey' })
  declare id: string;

  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text' })
  declare kind: 'buy' | 'release' | 'adopt';

  /** As with PhoneNumber. */
  @Column({ type: 'uuid', nullable: true })
  declare carrierAccountId: string | null;

  /** When a process last took the work up. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare attemptedAt: Date;
}
