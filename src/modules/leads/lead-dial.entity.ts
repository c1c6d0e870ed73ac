import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../database/columns.js';

export const LEAD_DIAL_STATES = ['waiting', 'calling', 'done'] as const;

/**
 * The state of a lead at the dialler: one row a lead, written with it. `waiting` leads are found by their campaign
 * and time; `calling` means that an attempt is live. Small and apart from the lead, because it is rewritten with each
 * attempt.
 */
@Entity('lead_dials')
@Index('lead_dials_due_idx', ['campaignId', 'dueAt', 'leadId'], { where: "state = 'waiting'" })
@Index('lead_dials_calling_idx', ['campaignId'], { where: "state = 'calling'" })
@Check('lead_dials_state_known', "state IN ('waiting', 'calling', 'done')")
export class LeadDial extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'lead_dials_pkey' })
  declare leadId: number;

  @Column({ type: 'integer' })
  declare campaignId: number;

  @Column({ type: 'text', default: 'waiting' })
  declare state: (typeof LEAD_DIAL_STATES)[number];

  @Column({ type: 'smallint', default: 0 })
  declare attempts: number;

  /** Not before this moment; null for a secondary contact whose turn has not come. */
  @Column({ type: 'timestamptz', nullable: true })
  declare dueAt: Date | null;
}
