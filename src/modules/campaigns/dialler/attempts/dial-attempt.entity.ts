import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { OwnedRowWithCreatedAt } from '#src/database/columns.js';

/**
 * `dialing` from the claim on. The call, not this state, shows whether the carrier has been asked or has the call.
 * Only earlier releases write `in-call`; they may run next to this one.
 */
export const DIAL_ATTEMPT_STATES = ['dialing', 'in-call', 'settled'] as const;
export const DIAL_OUTCOMES = ['answered', 'voicemail', 'busy', 'no-answer', 'failed', 'unknown'] as const;
export type DialOutcome = (typeof DIAL_OUTCOMES)[number];

/**
 * One try to reach a lead. Its row is written before the carrier is asked, and its id is the carrier's idempotency
 * key. The process that finds it `dialing` after a crash can thus ask for its outcome. A live row is also the slot
 * that limits parallel calls: a slot ends with its lease, never leaks. The rows outlive campaign and lead: they are
 * the record of who was called.
 */
@Entity('dial_attempts')
@Unique('dial_attempts_lead_number_key', ['leadId', 'number'])
@Index('dial_attempts_one_live_per_lead_key', ['leadId'], { unique: true, where: "state <> 'settled'" })
@Index('dial_attempts_campaign_id_idx', ['campaignId', 'createdAt'])
@Index('dial_attempts_live_of_user_idx', ['userId'], { where: "state <> 'settled'" })
@Index('dial_attempts_live_of_campaign_idx', ['campaignId'], { where: "state <> 'settled'" })
@Index('dial_attempts_outcome_idx', ['campaignId', 'outcome', 'settledAt'], { where: "state = 'settled'" })
@Index('dial_attempts_call_id_key', ['callId'], { unique: true, where: 'call_id IS NOT NULL' })
@Index('dial_attempts_settled_idx', ['settledAt'], { where: "state = 'settled'" })
@Index('dial_attempts_to_phone_number_idx', ['userId', 'toPhoneNumber', 'id'])
@Index('dial_attempts_lease_idx', ['leaseUntil'], { where: "state <> 'settled'" })
@Check('dial_attempts_state_known', "state IN ('dialing', 'in-call', 'settled')")
@Check(
  'dial_attempts_settled_with_outcome',
  "(state = 'settled') = (outcome IS NOT NULL) AND (state = 'settled') = (settled_at IS NOT NULL)",
)
export class DialAttempt extends OwnedRowWithCreatedAt {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'dial_attempts_pkey' })
  declare id: string;

  @Column({ type: 'integer', nullable: true })
  declare campaignId: number | null;

  @Column({ type: 'integer', nullable: true })
  declare leadId: number | null;

  /** Written with the attempt; the call may be deleted by its owner, the attempt stays. */
  @Column({ type: 'integer', nullable: true })
  declare callId: number | null;

  /** 1 for the first try. */
  @Column({ type: 'smallint' })
  declare number: number;

  @Column({ type: 'text', default: 'dialing' })
  declare state: (typeof DIAL_ATTEMPT_STATES)[number];

  @Column({ type: 'text', nullable: true })
  declare outcome: DialOutcome | null;

  @Column({ type: 'text' })
  declare fromPhoneNumber: string;

  @Column({ type: 'text' })
  declare toPhoneNumber: string;

  @Column({ type: 'timestamptz' })
  declare leaseUntil: Date;

  @Column({ type: 'timestamptz', nullable: true })
  declare settledAt: Date | null;
}
