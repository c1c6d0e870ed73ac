import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Principal } from '../../common/auth/principal.js';

/** A change that somebody asked for through the API. It names rows by their id, and nothing of what is in them. */
@Entity('audit_log_entries')
@Index('audit_log_entries_user_id_idx', ['userId', 'createdAt', 'id'])
@Index('audit_log_entries_action_idx', ['userId', 'action', 'createdAt', 'id'])
@Index('audit_log_entries_created_at_idx', ['createdAt'])
export class AuditLogEntry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'audit_log_entries_pkey' })
  declare id: string;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'text' })
  declare via: Principal['via'];

  /** Of the API key or the session. */
  @Column({ type: 'integer' })
  declare tokenId: number;

  /** The member who is signed in; null for whoever opened the account, and for keys. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  /** Where the request came from, without the part that names one machine. */
  @Column({ type: 'text' })
  declare network: string;

  /** The operation, by its id in the OpenAPI document. */
  @Column({ type: 'text' })
  declare action: string;

  /** What it was done to; null where there is none, and when the request was refused. */
  @Column({ type: 'text', nullable: true })
  declare resourceId: string | null;

  /** Of the answer. Null while it runs, and for good when its process died: then nobody knows what came of it. */
  @Column({ type: 'smallint', nullable: true })
  declare status: number | null;

  /** To the millisecond, which is what a cursor holds. */
  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  declare createdAt: Date;
}
