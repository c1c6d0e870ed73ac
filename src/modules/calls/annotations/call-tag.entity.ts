import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tag of a call. Deleted with the call, and erased with its person. */
@Entity('call_tags')
@Index('call_tags_tag_idx', ['userId', 'tag', 'callId'])
export class CallTag {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'call_tags_pkey' })
  declare callId: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'call_tags_pkey' })
  declare tag: string;

  @Column({ type: 'integer' })
  declare userId: number;
}
