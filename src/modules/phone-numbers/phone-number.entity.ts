import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { bigintAsNumber, IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

export const PHONE_NUMBER_TYPES = ['normal', 'sip', 'caller_id'] as const;
export type PhoneNumberType = (typeof PHONE_NUMBER_TYPES)[number];

/**
 * A number an account can use: rented from the carrier, behind a SIP trunk of its own, or a verified caller id.
 * Accounts that do not own it may have a grant.
 */
@Entity('phone_numbers')
@Index('phone_numbers_user_id_idx', ['userId', 'id'])
@Index('phone_numbers_carrier_account_id_idx', ['carrierAccountId'], {
  where: '(carrier_account_id IS NOT NULL)',
})
@Index('phone_numbers_rent_due_at_idx', ['rentDueAt'], { where: '(rent_due_at IS NOT NULL)' })
@Index('phone_numbers_rented_key', ['phoneNumber'], { unique: true, where: "type = 'normal'" })
@Unique('phone_numbers_identity_key', ['id', 'userId', 'phoneNumber'])
@Check('phone_numbers_verified_whole', '(verified_at IS NULL) = (verified_by IS NULL)')
@Check('phone_numbers_type_known', "type IN ('normal', 'sip', 'caller_id')")
export class PhoneNumber extends OwnedRowWithTimestamps {
  @IdColumn('phone_numbers_pkey')
  declare id: number;

  /** E.164, or the extension of a SIP trunk. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  declare nickname: string | null;

  @Column({ type: 'text' })
  declare countryCode: string;

  @Column({ type: 'text' })
  declare type: PhoneNumberType;

  /** Where the carrier keeps a rented number. */
  @Column({ type: 'text', nullable: true })
  declare region: string | null;

  /** Of the account at the carrier that it is rented with; null for the installation's, and where there is no carrier. */
  @Column({ type: 'uuid', nullable: true })
  declare carrierAccountId: string | null;

  /** What each month costs; null where nothing is charged: it is no rented one, or its account pays the carrier itself. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare monthlyPriceMicros: number | null;

  /** Months from its beginning on that are paid. */
  @Column({ type: 'integer', default: 0 })
  declare rentMonthsPaid: number;

  /** When the first month begins that is not. */
  @Column({ type: 'timestamptz', nullable: true })
  declare rentDueAt: Date | null;

  /** When a month that is due was found to be beyond the account's means; null while all are paid. */
  @Column({ type: 'timestamptz', nullable: true })
  declare rentUnpaidSince: Date | null;

  /** When its owner last confirmed the code that was spoken in a call to it; null for one that is not proven. */
  @Column({ type: 'timestamptz', nullable: true })
  declare verifiedAt: Date | null;

  /** Name of the carrier that call went by, see CallCarriers.proves. */
  @Column({ type: 'text', nullable: true })
  declare verifiedBy: string | null;

  @Column({ type: 'boolean', default: false })
  declare smsCapable: boolean;
}
