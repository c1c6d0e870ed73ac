import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

export const REGISTRATION_STATES = ['registering', 'registered', 'failed', 'unregistered'] as const;

/**
 * The state of a trunk at the process that serves it. Apart from `sip_trunks`, because it changes by itself; valid
 * only while a process serves the trunks.
 */
@Entity('sip_trunk_states')
@Index('sip_trunk_states_user_id_idx', ['userId'])
@Check(
  'sip_trunk_states_registration_known',
  "registration IN ('registering', 'registered', 'failed', 'unregistered')",
)
export class SipTrunkState extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'sip_trunk_states_pkey' })
  declare trunkId: number;

  /** Of the trunk as it is set now; other settings make other ids. */
  @Column({ type: 'text' })
  declare inboundId: string;

  @Column({ type: 'text' })
  declare outboundId: string;

  /** Null for a trunk that does not register. */
  @Column({ type: 'text', nullable: true })
  declare registration: (typeof REGISTRATION_STATES)[number] | null;

  /** Why it is not registered, in the operator's words. */
  @Column({ type: 'text', nullable: true })
  declare reason: string | null;

  /** Whether the operator's server answers; null before it was asked. */
  @Column({ type: 'boolean', nullable: true })
  declare reachable: boolean | null;
}
