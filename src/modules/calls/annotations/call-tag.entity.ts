import { Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** A tag of a call. Deleted with the call, and erased with its person. */
@Entity('call_tags')
@Index('call_tags_tag_idx', ['userId', 'tag', 'callId'])
export class CallTag extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'call_tags_pkey' })
  declare callId: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'call_tags_pkey' })
  declare tag: string;
}
