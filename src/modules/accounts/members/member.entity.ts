import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../../database/columns.js';
import type { Role } from './role.js';

/** A person who works in the account of another one. A person is a member of one account only. */
@Entity('members')
@Check('members_email_lower', 'email = lower(email)')
@Check('members_role_check', "role IN ('owner', 'operator', 'viewer')")
@Index('members_email_key', ['email'], { unique: true })
@Index('members_user_id_idx', ['userId', 'id'])
export class Member extends OwnedRowWithTimestamps {
  @IdColumn('members_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare email: string;

  @Column({ type: 'text' })
  declare passwordHash: string;

  @Column({ type: 'text' })
  declare role: Role;
}
