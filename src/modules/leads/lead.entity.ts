import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

/** The status that a lead shows. Its state between two calls is stored apart, in its dial. */
export const LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Why a lead ended without an attempt. */
export const LEAD_REFUSALS = ['do_not_call', 'country', 'number_type'] as const;
export type LeadRefusal = (typeof LEAD_REFUSALS)[number];

export type Variables = Readonly<Record<string, unknown>>;

/** A person to call within a campaign; a secondary contact is a lead whose parent was not reached. */
@Entity('leads')
@Index('leads_user_id_idx', ['userId', 'createdAt', 'id'])
@Index('leads_status_idx', ['userId', 'status', 'createdAt', 'id'])
@Index('leads_campaign_idx', ['userId', 'campaignId', 'createdAt', 'id'])
@Index('leads_phone_number_idx', ['userId', 'phoneNumber', 'campaignId'])
@Index('leads_campaign_phone_number_key', ['campaignId', 'phoneNumber'], {
  unique: true,
  where: 'NOT duplicate_allowed',
})
@Index('leads_parent_id_idx', ['parentId', 'position'], { where: 'parent_id IS NOT NULL' })
@Check('leads_status_known', "status IN ('created', 'completed', 'reached-max-retries')")
export class Lead extends OwnedRowWithTimestamps {
  @IdColumn('leads_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare campaignId: number;

  /** The lead this one is a secondary contact of. */
  @Column({ type: 'integer', nullable: true })
  declare parentId: number | null;

  /** Place among the secondary contacts, from 1; 0 for a primary lead. */
  @Column({ type: 'smallint', default: 0 })
  declare position: number;

  /** E.164. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text', default: 'created' })
  declare status: LeadStatus;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare variables: Variables;

  /** The caller wanted this lead although the campaign may have its number already. */
  @Column({ type: 'boolean', default: false })
  declare duplicateAllowed: boolean;

  /** Null unless the number may not be called. */
  @Column({ type: 'text', nullable: true })
  declare refusalReason: LeadRefusal | null;
}
