import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';
import type { Role } from './role.js';

/** An invitation that is not accepted yet. Only the hash of its token is stored. */
@Entity('invitations')
@Check('invitations_email_lower', 'email = lower(email)')
@Check('invitations_role_check', "role IN ('owner', 'operator', 'viewer')")
@Index('invitations_token_hash_key', ['tokenHash'], { unique: true })
@Index('invitations_user_id_email_key', ['userId', 'email'], { unique: true })
export class Invitation extends OwnedRowWithCreatedAt {
  @IdColumn('invitations_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare email: string;

  @Column({ type: 'text' })
  declare role: Role;

  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
