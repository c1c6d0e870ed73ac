import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Principal } from '../../common/auth/principal.js';
import type { ChangeReason } from './change-reason.js';

/** A change through the API, by a command of the operator or by the platform itself, or a sign-in. It names rows by their id, and nothing of what is in them. */
@Entity('audit_log_entries')
@Index('audit_log_entries_user_id_idx', ['userId', 'createdAt', 'id'])
@Index('audit_log_entries_action_idx', ['userId', 'action', 'createdAt', 'id'])
@Index('audit_log_entries_created_at_idx', ['createdAt'])
export class AuditLogEntry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'audit_log_entries_pkey' })
  declare id: string;

  /** Null for a command of the operator that concerns no single account. No account sees these entries. */
  @Column({ type: 'integer', nullable: true })
  declare userId: number | null;

  /** What the caller showed; `operator` for a command, and `platform` for a change that no caller asked for. */
  @Column({ type: 'text' })
  declare via: Principal['via'] | 'operator' | 'platform';

  /** Of the API key or the session; null for a refused sign-in, the operator and the platform. */
  @Column({ type: 'integer', nullable: true })
  declare tokenId: number | null;

  /** The member who is signed in; null for the owner of the account, and for API keys. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  /** Where the request came from, without the part that names one machine; null for the operator and the platform. */
  @Column({ type: 'text', nullable: true })
  declare network: string | null;

  /** The operation, by its id in the OpenAPI document, or the command of the operator. */
  @Column({ type: 'text' })
  declare action: string;

  /** Why the platform made the change; null for what a caller asked for. */
  @Column({ type: 'text', nullable: true })
  declare reason: ChangeReason | null;

  /** What it was done to; null where there is none, and when the request was refused. */
  @Column({ type: 'text', nullable: true })
  declare resourceId: string | null;

  /** Of the answer. Null while it runs, and for good when its process died: the outcome is then unknown. */
  @Column({ type: 'smallint', nullable: true })
  declare status: number | null;

  /** To the millisecond, which is what a cursor holds. */
  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  declare createdAt: Date;
}
