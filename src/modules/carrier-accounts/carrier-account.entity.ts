import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { OwnedRowWithTimestamps } from '../../database/columns.js';

/** The account that an account of ours has at a carrier itself. Numbers that are rented with it keep its id. */
@Entity('carrier_accounts')
@Unique('carrier_accounts_user_id_carrier_key', ['userId', 'carrier'])
@Unique('carrier_accounts_id_user_id_key', ['id', 'userId'])
@Check('carrier_accounts_carrier_known', "carrier IN ('twilio')")
export class CarrierAccount extends OwnedRowWithTimestamps {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'carrier_accounts_pkey' })
  declare id: string;

  @Column({ type: 'text' })
  declare carrier: 'twilio';

  /** As the carrier names it. */
  @Column({ type: 'text' })
  declare accountSid: string;

  /** In the owner's words. */
  @Column({ type: 'text', nullable: true })
  declare label: string | null;

  @Column({ type: 'text' })
  declare sealedAuthToken: string;

  /** The one before, which callbacks may be signed with until it expires. */
  @Column({ type: 'text', nullable: true })
  declare sealedPreviousAuthToken: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare previousExpiresAt: Date | null;
}
