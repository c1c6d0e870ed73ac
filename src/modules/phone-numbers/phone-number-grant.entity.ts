import { CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** Lets another account see a number. Only the owner may change it. */
@Entity('phone_number_grants')
@Index('phone_number_grants_user_id_idx', ['userId'])
export class PhoneNumberGrant {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'phone_number_grants_pkey' })
  declare phoneNumberId: number;

  /** Who may see it. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'phone_number_grants_pkey' })
  declare userId: number;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
