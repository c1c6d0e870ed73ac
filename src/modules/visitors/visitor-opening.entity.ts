import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Conversations that visitors have opened with an assistant in one hour: all of them, or those of one address. */
@Entity('visitor_openings')
@Index('visitor_openings_hour_idx', ['hour'])
export class VisitorOpening {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'visitor_openings_pkey' })
  declare assistantId: number;

  /** Hash of an address; empty for the whole assistant. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'visitor_openings_pkey' })
  declare subject: string;

  @Column({ type: 'timestamptz' })
  declare hour: Date;

  @Column({ type: 'integer' })
  declare opened: number;
}
