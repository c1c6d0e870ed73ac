import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An address from which a person has logged in to an account; `subject` is the hash of e-mail and address. */
@Entity('known_addresses')
@Index('known_addresses_user_id_idx', ['userId'])
@Index('known_addresses_last_login_at_idx', ['lastLoginAt'])
export class TrustedLoginIp {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'known_addresses_pkey' })
  declare subject: Buffer;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'timestamptz' })
  declare lastLoginAt: Date;
}
