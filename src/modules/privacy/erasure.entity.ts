import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

export const ERASURE_STATUSES = ['processing', 'completed', 'failed'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** The erasure of what an account holds about a person: how far it is, and what it has erased. */
@Entity('erasures')
@Index('erasures_subject_key', ['userId', 'subject'], { unique: true, where: "status = 'processing'" })
@Index('erasures_due_idx', ['nextRunAt'], { where: "status = 'processing'" })
@Check('erasures_status_known', "status IN ('processing', 'completed', 'failed')")
@Check(
  'erasures_subject_until_over',
  `(status = 'processing') = (subject IS NOT NULL) AND (status = 'processing') = (finished_at IS NULL)
   AND (status = 'processing' OR sealed_phone_number IS NULL)`,
)
export class Erasure extends OwnedRowWithCreatedAt {
  @IdColumn('erasures_pkey')
  declare id: number;

  @Column({ type: 'text', default: 'processing' })
  declare status: ErasureStatus;

  /** E.164, until it is over. */
  @Column({ type: 'text', nullable: true })
  declare sealedPhoneNumber: string | null;

  /** Keyed hash of the number, until it is over: of one number there is one erasure at a time. */
  @Column({ type: 'text', nullable: true })
  declare subject: string | null;

  @Column({ type: 'boolean' })
  declare keepDoNotCall: boolean;

  @Column({ type: 'boolean' })
  declare keepDocuments: boolean;

  /** Name of the source that is being walked; null at the beginning of a pass. */
  @Column({ type: 'text', nullable: true })
  declare source: string | null;

  /** Where its last page ended. */
  @Column({ type: 'text', nullable: true })
  declare after: string | null;

  /** Passes over all sources that have come to their end. */
  @Column({ type: 'integer', default: 0 })
  declare passes: number;

  @Column({ type: 'integer', default: 0 })
  declare foundInPass: number;

  @Column({ type: 'integer', default: 0 })
  declare busyInPass: number;

  /** The last pass left something, because a call or an answer was under way. */
  @Column({ type: 'boolean', default: false })
  declare isWaiting: boolean;

  /** How many rows of each source. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare erased: Readonly<Record<string, number>>;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare nextRunAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
