import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const PHONE_NUMBER_TYPES = ['normal', 'sip', 'caller_id'] as const;
export type PhoneNumberType = (typeof PHONE_NUMBER_TYPES)[number];

/** A number an account can use: rented from the carrier, behind an own SIP trunk, or a verified caller id. */
@Entity('phone_numbers')
@Index('phone_numbers_user_id_idx', ['userId', 'id'])
export class PhoneNumber {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'phone_numbers_pkey',
  })
  declare id: number;

  /** The owner; others may have a grant. */
  @Column({ type: 'integer' })
  declare userId: number;

  /** E.164, or the extension of a SIP trunk. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  declare nickname: string | null;

  @Column({ type: 'text' })
  declare countryCode: string;

  @Column({ type: 'text' })
  declare type: PhoneNumberType;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
