import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';
import type { LookupError, LookupStatus } from '../../../common/phone/call-routing.js';

/** One lookup of a caller of a number. The newest few of each number are kept. Its account is the owner of the number. */
@Entity('number_lookups')
@Index('number_lookups_at_idx', ['phoneNumberId', 'at'])
@Index('number_lookups_user_id_idx', ['userId'])
export class NumberLookupRow extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'number_lookups_pkey' })
  declare phoneNumberId: number;

  /** The carrier's id of the call, so that one process asks; of a test, an id of its own. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'number_lookups_pkey' })
  declare offerId: string;

  /** When it began. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare at: Date;

  /** Null for a test, and for a call that was not recorded. */
  @Column({ type: 'integer', nullable: true })
  declare callId: number | null;

  /** Null while it runs, and where its process died. */
  @Column({ type: 'text', nullable: true })
  declare status: LookupStatus | null;

  @Column({ type: 'integer', nullable: true })
  declare httpStatus: number | null;

  @Column({ type: 'integer', nullable: true })
  declare ms: number | null;

  @Column({ type: 'text', nullable: true })
  declare error: LookupError | null;
}
