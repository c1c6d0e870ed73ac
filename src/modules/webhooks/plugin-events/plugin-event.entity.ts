import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { OwnedRowWithCreatedAt } from '../../../database/columns.js';

/** An event and the plugin that has yet to handle it. Written in the transaction that causes the event. */
@Entity('plugin_events')
@Index('plugin_events_due_at_idx', ['dueAt'], { where: '(failed_at IS NULL)' })
@Index('plugin_events_failed_at_idx', ['failedAt'], { where: '(failed_at IS NOT NULL)' })
@Index('plugin_events_user_id_idx', ['userId'])
export class PluginEvent extends OwnedRowWithCreatedAt {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'plugin_events_pkey',
  })
  declare id: string;

  @Column({ type: 'text' })
  declare plugin: string;

  @Column({ type: 'text' })
  declare kind: string;

  /** The same for every attempt, and in the webhook of the event. */
  @Column({ type: 'text' })
  declare eventId: string;

  /** Id of the call, conversation, campaign or alert. */
  @Column({ type: 'text' })
  declare subjectId: string;

  /** JSON, as webhook endpoints get it. */
  @Column({ type: 'text' })
  declare body: string;

  /** Attempts that have begun. */
  @Column({ type: 'integer', default: 0 })
  declare attempts: number;

  /** When the sweep enqueues a job for the event, unless an earlier job has finished by then. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare dueAt: Date;

  @Column({ type: 'text', nullable: true })
  declare lastError: string | null;

  /** When the last attempt failed; null while attempts are left. */
  @Column({ type: 'timestamptz', nullable: true })
  declare failedAt: Date | null;
}
