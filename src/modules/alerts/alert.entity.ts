import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

/** Tells an owner that a limit has refused visitors: one row a limit, subject and UTC day. */
@Entity('alerts')
@Unique('alerts_once_a_day_key', ['userId', 'limitName', 'assistantId', 'day'])
@Index('alerts_user_id_idx', ['userId', 'id'])
@Index('alerts_created_at_idx', ['createdAt'])
export class Alert extends OwnedRowWithCreatedAt {
  @IdColumn('alerts_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare limitName: string;

  /** 0 where the limit is the account's. Kept when the assistant is deleted. */
  @Column({ type: 'integer' })
  declare assistantId: number;

  @Column({ type: 'date' })
  declare day: string;

  /** The limit as it was: a number of things, or US dollars. */
  @Column({ type: 'double precision' })
  declare value: number;

  @Column({ type: 'timestamptz' })
  declare resetsAt: Date;
}
