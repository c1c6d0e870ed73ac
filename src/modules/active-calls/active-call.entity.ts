import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../database/columns.js';
import type { CallPerson } from './person-takeovers/person-takeover.js';
import type { QueueTerms } from './queue/queue-terms.js';

/**
 * - `waiting`: the carrier has not been asked
 * - `placing`: a process is asking the carrier, or died while doing so
 * - `open`: the carrier has the call
 * - `evaluating`: the talk is over, the work after it is not
 */
export const CALL_STAGES = ['waiting', 'placing', 'open', 'evaluating'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/**
 * What an unfinished call needs; the row is deleted when no work is left. Apart from `calls`, because it changes
 * every few seconds during a call, and must not update a dozen indexes.
 */
@Entity('active_calls')
@Index('active_calls_carrier_call_id_key', ['carrier', 'carrierCallId'], {
  unique: true,
  where: 'carrier_call_id IS NOT NULL',
})
@Index('active_calls_line_key', ['line'], { unique: true, where: '(line IS NOT NULL)' })
@Index('active_calls_user_id_idx', ['userId'])
@Index('active_calls_hold_id_idx', ['holdId'])
@Index('active_calls_by_visitor_idx', ['userId'], { where: 'by_visitor' })
@Index('active_calls_queued_idx', ['userId', 'queuedAt', 'callId'], { where: 'queued_at IS NOT NULL' })
@Index('active_calls_line_until_idx', ['lineUntil'], { where: 'line_until IS NOT NULL' })
@Index('active_calls_end_requested_idx', ['endRequestedAt'], { where: 'end_requested_at IS NOT NULL' })
@Index('active_calls_voice_process_id_idx', ['voiceProcessId'], { where: 'voice_process_id IS NOT NULL' })
@Check('active_calls_line_state_bounded', 'length(line_state) <= 32768')
@Check('active_calls_stage_known', "stage IN ('waiting', 'placing', 'open', 'evaluating')")
export class ActiveCall extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'active_calls_pkey' })
  declare callId: number;

  @Column({ type: 'text', default: 'waiting' })
  declare stage: CallStage;

  /** Its number among the lines of the platform, from 1; null once the talk is over. */
  @Column({ type: 'integer', nullable: true })
  declare line: number | null;

  /** Its line is reserved until then, and its browser has not connected. Null: it keeps the line for as long as it lasts. */
  @Column({ type: 'timestamptz', nullable: true })
  declare lineUntil: Date | null;

  /** No assistant talks on it, so that it takes no line of the plan, of the platform or of a voice process. */
  @Column({ type: 'boolean', default: false })
  declare withoutLine: boolean;

  /** A visitor calls from a browser. */
  @Column({ type: 'boolean', default: false })
  declare byVisitor: boolean;

  /** The money set aside for the longest it may last. */
  @Column({ type: 'uuid', nullable: true })
  declare holdId: string | null;

  /** Those the money is held at; null, in calls from before they were kept, means those of now. */
  @Column({ type: 'integer', nullable: true })
  declare pricePerMinuteMicros: number | null;

  @Column({ type: 'integer', nullable: true })
  declare carrierPricePerMinuteMicros: number | null;

  /** How many calls a second its account may make, as it was when the call began; null: no limit. */
  @Column({ type: 'double precision', nullable: true })
  declare callsPerSecond: number | null;

  /** Name of the carrier, see CallCarriers. */
  @Column({ type: 'text' })
  declare carrier: string;

  @Column({ type: 'text', nullable: true })
  declare carrierCallId: string | null;

  /** Of the number it is placed from, or came in to; null where the carrier needs none. The number may be gone. */
  @Column({ type: 'integer', nullable: true })
  declare phoneNumberId: number | null;

  /** Of the number that a second leg of a transfer was placed from, as long as that leg lasts. */
  @Column({ type: 'integer', nullable: true })
  declare secondLegNumberId: number | null;

  /** As the assistant was set when the call began; in the carrier's time, as is the next. */
  @Column({ type: 'integer' })
  declare maxDurationSeconds: number;

  @Column({ type: 'integer' })
  declare ringingSeconds: number;

  /** Of the process that monitors the call; null without one. */
  @Column({ type: 'uuid', nullable: true })
  declare leaseToken: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare leaseUntil: Date | null;

  /** The voice process that the call was given to; null where words alone go over the line, or before. */
  @Column({ type: 'uuid', nullable: true })
  declare voiceProcessId: string | null;

  /** The assistant that has taken over; null while the call's own has the customer, or has it again. */
  @Column({ type: 'integer', nullable: true })
  declare speakerId: number | null;

  /** How many hand-overs there have been. */
  @Column({ type: 'smallint', default: 0 })
  declare handoffs: number;

  /** The person who has taken over from the assistant; null while the assistant has the customer. */
  @Column({ type: 'jsonb', nullable: true })
  declare takenOverBy: CallPerson | null;

  /** First words in place of the assistant's, as a lookup of the caller has given them. Null: the assistant's. */
  @Column({ type: 'text', nullable: true })
  declare initialMessage: string | null;

  /** Names of the variables that a lookup of the caller has given. Null where it has given none. */
  @Column({ type: 'jsonb', nullable: true })
  declare lookupVariables: readonly string[] | null;

  /**
   * All that another process needs to go on with the line, sealed: it holds the keys of its sound. Null where no other can,
   * before the answer, and once the talk is over.
   */
  @Column({ type: 'text', nullable: true, select: false })
  declare lineState: string | null;

  /** How its caller waits for a line; null: the caller does not wait, or no longer. */
  @Column({ type: 'jsonb', nullable: true })
  declare queue: QueueTerms | null;

  /** Since when; null with `queue`. */
  @Column({ type: 'timestamptz', nullable: true })
  declare queuedAt: Date | null;

  /** How long the caller has waited before the assistant talked, in the carrier's time. Only the line costs in it. */
  @Column({ type: 'integer', default: 0 })
  declare waitedSeconds: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare stageSince: Date;

  /** Its campaign was stopped: it is not dialled any more, or hung up. Null for most. */
  @Column({ type: 'timestamptz', nullable: true })
  declare endRequestedAt: Date | null;
}
