import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a carrier that limits how many calls a second it is asked for may be asked next, by whichever process. */
@Entity('carrier_paces')
export class CarrierPace {
  /** The carrier's name, see CallCarrier. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'carrier_paces_pkey' })
  declare carrier: string;

  @Column({ type: 'timestamptz' })
  declare nextAt: Date;
}
