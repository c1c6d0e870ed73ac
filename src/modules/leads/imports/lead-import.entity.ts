import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { TextKey } from '../../../i18n/catalogue.js';
import type { TextRef } from '../../../i18n/text.js';

export const LEAD_IMPORT_STATUSES = ['processing', 'completed', 'failed'] as const;
export type LeadImportStatus = (typeof LEAD_IMPORT_STATUSES)[number];

/** Why a row was not taken; `line` is where it begins in the file, the header being line 1. */
export interface Refusal {
  readonly line: number;
  readonly reason: TextRef<TextKey>;
}

/** A CSV file on its way into a campaign. Each batch counts itself here in its own transaction. */
@Entity('lead_imports')
@Index('lead_imports_campaign_idx', ['userId', 'campaignId', 'id'])
@Check('lead_imports_status_known', "status IN ('processing', 'completed', 'failed')")
export class LeadImport {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'lead_imports_pkey',
  })
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

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

  /** What ended the import early. */
  @Column({ type: 'text', nullable: true })
  declare failure: TextKey | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
