import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** An address from which a person has logged in to an account; `subject` is the hash of e-mail and address. */
@Entity('known_addresses')
@Index('known_addresses_user_id_idx', ['userId'])
@Index('known_addresses_last_login_at_idx', ['lastLoginAt'])
export class TrustedLoginIp extends OwnedRow {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'known_addresses_pkey' })
  declare subject: Buffer;

  @Column({ type: 'timestamptz' })
  declare lastLoginAt: Date;
}
