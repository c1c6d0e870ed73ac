import { Column, CreateDateColumn, Entity, Index, Unique } from 'typeorm';
import { IdColumn } from '../../database/columns.js';

/** A number that an account never calls. */
@Entity('do_not_call_entries')
@Unique('do_not_call_entries_phone_number_key', ['userId', 'phoneNumber'])
@Index('do_not_call_entries_user_id_idx', ['userId', 'id'])
export class DoNotCallEntry {
  @IdColumn('do_not_call_entries_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

  /** E.164. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  declare reason: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
