import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';
import type { NamedColor } from '../../common/http/named-colors.js';

/** A place to sort assistants into. */
@Entity('folders')
@Unique('folders_user_id_name_key', ['userId', 'name'])
@Index('folders_user_id_idx', ['userId', 'id'])
export class Folder extends OwnedRowWithTimestamps {
  @IdColumn('folders_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', nullable: true })
  declare color: NamedColor | null;
}
