import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../../database/columns.js';
import type { TextKey } from '../../../i18n/catalogue.js';
import type { TextRef } from '../../../i18n/text.js';

export const LEAD_IMPORT_STATUSES = ['processing', 'completed', 'failed'] as const;
export type LeadImportStatus = (typeof LEAD_IMPORT_STATUSES)[number];

/** Why a row was not taken; `line` is where it begins in the file, the header being line 1. */
export interface Refusal {
  readonly line: number;
  readonly reason: TextRef<TextKey>;
}

/** Which placeholders an import fills in. */
export interface ImportVariables {
  /** Names that the prompt, the first words and the tools of the assistant ask for. */
  readonly used: readonly string[];
  /** Columns of the file that fill them. */
  readonly filled: readonly string[];
  /** Of the names, those that neither a column nor a default of the assistant fills. */
  readonly missing: readonly string[];
}

/** How long refused rows can be downloaded. */
export const REFUSALS_KEPT_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/** A file on its way into a campaign. Each batch counts itself here in its own transaction. */
@Entity('lead_imports')
@Index('lead_imports_campaign_idx', ['userId', 'campaignId', 'id'])
@Check('lead_imports_status_known', "status IN ('processing', 'completed', 'failed')")
export class LeadImport extends OwnedRowWithTimestamps {
  @IdColumn('lead_imports_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare campaignId: number;

  @Column({ type: 'text', default: 'processing' })
  declare status: LeadImportStatus;

  @Column({ type: 'text', nullable: true })
  declare fileName: string | null;

  @Column({ type: 'integer', default: 0 })
  declare imported: number;

  @Column({ type: 'integer', default: 0 })
  declare refused: number;

  /** The first ones; `refused` counts all. */
  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare refusals: Refusal[];

  /** Names of the columns of the file; null for an import of an earlier release. */
  @Column({ type: 'jsonb', nullable: true })
  declare columns: readonly string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  declare variables: ImportVariables | null;

  /** What ended the import early. */
  @Column({ type: 'text', nullable: true })
  declare failure: TextKey | null;
}

/** Whether the rows that the import refused can be downloaded. */
export function hasKeptRefusals({ refused, columns, createdAt }: LeadImport): boolean {
  // Earlier releases kept no columns and no rows.
  return (
    refused > 0 && columns !== null && Date.now() - createdAt.getTime() < REFUSALS_KEPT_DAYS * MS_PER_DAY
  );
}
