import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** `agent`: a person of the account, who has taken over from the assistant. */
export const TURN_ROLES = ['assistant', 'customer', 'agent'] as const;

/** One utterance of a call, as it was heard. Written during the call; deleted with it. */
@Entity('call_turns')
@Check('call_turns_role_known', "role IN ('assistant', 'customer', 'agent')")
export class CallTurn extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'call_turns_pkey' })
  declare callId: number;

  /** Its place in the call, from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'call_turns_pkey' })
  declare position: number;

  @Column({ type: 'text' })
  declare role: (typeof TURN_ROLES)[number];

  @Column({ type: 'text' })
  declare text: string;

  /** Since the answer, as is the next. */
  @Column({ type: 'integer' })
  declare startMs: number;

  @Column({ type: 'integer' })
  declare endMs: number;

  @Column({ type: 'boolean' })
  declare interrupted: boolean;

  /** Which assistant said it, after a hand-over, with its name at the time; both null for the call's own. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  @Column({ type: 'text', nullable: true })
  declare assistantName: string | null;

  /** Name of the member who said it, at the time; null for the owner of the account, for API keys and for other roles. */
  @Column({ type: 'text', nullable: true })
  declare memberName: string | null;
}
