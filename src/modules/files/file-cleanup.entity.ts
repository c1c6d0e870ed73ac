import { Column, CreateDateColumn, Entity, Index, Unique } from 'typeorm';
import { IdColumn } from '../../database/columns.js';

/** A stored file that is to be deleted, unless the row is taken back before it is due. */
@Entity('file_cleanups')
@Unique('file_cleanups_file_key_key', ['fileKey'])
@Index('file_cleanups_due_at_idx', ['dueAt'])
export class FileCleanup {
  @IdColumn('file_cleanups_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare fileKey: string;

  @Column({ type: 'timestamptz' })
  declare dueAt: Date;

  @Column({ type: 'integer', default: 0 })
  declare attempts: number;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
