import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

export const ACCOUNT_DELETION_STATUSES = ['processing', 'completed'] as const;
export type AccountDeletionStatus = (typeof ACCOUNT_DELETION_STATUSES)[number];

/**
 * The deletion of an account. It stays, as the proof of it: what was deleted, and when. `userId` has no foreign key:
 * the row outlives the account.
 */
@Entity('account_deletions')
@Unique('account_deletions_user_id_key', ['userId'])
@Index('account_deletions_due_idx', ['nextRunAt'], { where: "status = 'processing'" })
@Check('account_deletions_status_known', "status IN ('processing', 'completed')")
@Check('account_deletions_finished', "(status = 'completed') = (finished_at IS NOT NULL)")
export class AccountDeletion extends OwnedRowWithCreatedAt {
  @IdColumn('account_deletions_pkey')
  declare id: number;

  @Column({ type: 'text', default: 'processing' })
  declare status: AccountDeletionStatus;

  /** For calls and answers that are under way, or for the carrier to take numbers back. */
  @Column({ type: 'boolean', default: false })
  declare isWaiting: boolean;

  /** How many rows of each table; what goes with another row is not counted. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare deleted: Readonly<Record<string, number>>;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare nextRunAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
