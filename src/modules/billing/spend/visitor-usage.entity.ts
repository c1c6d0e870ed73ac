import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../database/columns.js';

/** What the visitors of an assistant have used up: one row an assistant, for the present UTC day and hour. */
@Entity('visitor_usage')
@Index('visitor_usage_day_idx', ['day'])
export class VisitorUsage {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'visitor_usage_pkey' })
  declare assistantId: number;

  @Column({ type: 'date' })
  declare day: string;

  /** Held and charged on `day`. */
  @Column({ type: 'bigint', transformer: bigintAsNumber })
  declare spentMicros: number;

  @Column({ type: 'timestamptz' })
  declare hour: Date;

  /** Begun in the hour; those that failed are counted too. */
  @Column({ type: 'integer' })
  declare messages: number;
}
