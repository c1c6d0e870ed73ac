import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

/** A login. Only the hash of its token is kept. */
@Entity('sessions')
@Index('sessions_token_hash_key', ['tokenHash'], { unique: true })
@Index('sessions_user_id_idx', ['userId'])
@Index('sessions_expires_at_idx', ['expiresAt'])
@Index('sessions_member_id_idx', ['memberId'], { where: '(member_id IS NOT NULL)' })
@Index('sessions_api_key_id_idx', ['apiKeyId'], { where: '(api_key_id IS NOT NULL)' })
export class Session extends OwnedRowWithCreatedAt {
  @IdColumn('sessions_pkey')
  declare id: number;

  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  /** The key it was begun with, whose end is its end; null for one that was begun with a password. */
  @Column({ type: 'integer', nullable: true })
  declare apiKeyId: number | null;

  /** The person, where it is a member; null for the owner of the account. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;

  /** Where it was begun from; an IPv6 address as its /64. */
  @Column({ type: 'text', nullable: true })
  declare ipAddress: string | null;

  @Column({ type: 'text', nullable: true })
  declare userAgent: string | null;
}
