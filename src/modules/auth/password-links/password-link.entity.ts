import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

export type LinkPurpose = 'password' | 'sign-in';

/** A link by which a person sets a new password without the old one. Kept for a day, for the number of those of a day. */
@Entity('password_links')
@Index('password_links_token_hash_key', ['tokenHash'], { unique: true })
@Index('password_links_user_id_idx', ['userId'])
@Index('password_links_member_id_idx', ['memberId'], { where: '(member_id IS NOT NULL)' })
@Index('password_links_created_at_idx', ['createdAt'])
export class PasswordLink extends OwnedRowWithCreatedAt {
  @IdColumn('password_links_pkey')
  declare id: number;

  /** Null for the owner of the account. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  /** Of the token; null once it was used, or is void. */
  @Column({ type: 'bytea', nullable: true })
  declare tokenHash: Buffer | null;

  /** A `sign-in` link of the operator starts a session and leaves the password as it is. */
  @Column({ type: 'text', default: 'password' })
  declare purpose: LinkPurpose;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
