import { Check, Column, Entity, Index } from 'typeorm';
import { bigintAsNumber, IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

export const ACCOUNT_EXPORT_STATUSES = ['processing', 'ready', 'failed'] as const;
export type AccountExportStatus = (typeof ACCOUNT_EXPORT_STATUSES)[number];
/** More than an archive may hold; or five starts came to nothing. */
export const ACCOUNT_EXPORT_FAILURES = ['too-large', 'given-up'] as const;
export type AccountExportFailure = (typeof ACCOUNT_EXPORT_FAILURES)[number];

/** An archive of everything that an account has. */
@Entity('account_exports')
@Index('account_exports_user_id_idx', ['userId', 'id'])
@Index('account_exports_under_way_key', ['userId'], { unique: true, where: "status = 'processing'" })
@Index('account_exports_finished_idx', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
@Index('account_exports_due_idx', ['id'], { where: "status = 'processing'" })
@Check('account_exports_status_known', "status IN ('processing', 'ready', 'failed')")
@Check('account_exports_finished', "(status = 'processing') = (finished_at IS NULL)")
@Check(
  'account_exports_file',
  "(status = 'ready') = (file_key IS NOT NULL) AND (file_key IS NULL) = (file_bytes IS NULL)",
)
@Check('account_exports_failure', "(status = 'failed') = (failure IS NOT NULL)")
export class AccountExport extends OwnedRowWithCreatedAt {
  @IdColumn('account_exports_pkey')
  declare id: number;

  @Column({ type: 'text', default: 'processing' })
  declare status: AccountExportStatus;

  @Column({ type: 'text', nullable: true })
  declare failure: AccountExportFailure | null;

  @Column({ type: 'smallint', default: 0 })
  declare progressPercent: number;

  @Column({ type: 'text', nullable: true })
  declare fileKey: string | null;

  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare fileBytes: number | null;

  /** Starts so far. It is the fencing token: only the process that started last may write. */
  @Column({ type: 'smallint', default: 0 })
  declare attempts: number;

  @Column({ type: 'timestamptz', nullable: true })
  declare leasedUntil: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
