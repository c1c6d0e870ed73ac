import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRowWithCreatedAt } from '#src/database/columns.js';
import type { TextKey } from '#src/i18n/catalogue.js';
import type { TextRef } from '#src/i18n/text.js';

/** A row of a file that an import refused, as it was in the file. Kept for a week. */
@Entity('lead_refusals')
@Index('lead_refusals_user_id_idx', ['userId'])
@Index('lead_refusals_created_at_idx', ['createdAt'])
export class LeadRefusal extends OwnedRowWithCreatedAt {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'lead_refusals_pkey' })
  declare importId: number;

  /** Where the row begins in the file. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'lead_refusals_pkey' })
  declare line: number;

  @Column({ type: 'jsonb' })
  declare fields: readonly string[];

  @Column({ type: 'jsonb' })
  declare reason: TextRef<TextKey>;

  /** E.164, of everybody whom the row names by a number that can be read. */
  @Column({ type: 'text', array: true })
  declare phoneNumbers: readonly string[];
}
