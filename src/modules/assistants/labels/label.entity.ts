import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../../database/columns.js';
import type { NamedColor } from '../../../common/http/named-colors.js';

/** A word that assistants are marked with; each may have several. */
@Entity('labels')
@Unique('labels_user_id_name_key', ['userId', 'name'])
@Index('labels_user_id_idx', ['userId', 'id'])
export class Label extends OwnedRowWithTimestamps {
  @IdColumn('labels_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', nullable: true })
  declare color: NamedColor | null;
}
