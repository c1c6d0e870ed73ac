import { Check, Column, Entity, Index } from 'typeorm';
import type { CallRouting } from '../../common/phone/call-routing.js';
import { bigintAsNumber, IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';
import {
  ANSWERERS,
  type Answerer,
  CALL_STATUSES,
  CALL_TYPES,
  END_REASONS,
  type CallStatus,
  type CallType,
  type EndReason,
} from './call-states.js';
import type { RecordingSkip } from '../../runtime/call/recording-file.js';
import { type CallScreener, CALL_SCREENERS } from '../../runtime/call/session/remote-party.js';
import type { DeskEntry } from './desk/desk-entry.js';
import type { CallFunctionCall } from './turns/call-function-call.js';
import type { CallQuality } from './turns/call-quality.js';
import type { CallVoice } from './turns/call-voice.js';

type Facts = Record<string, unknown>;

const isOneOf = (column: string, values: readonly string[]) =>
  `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`;

/**
 * One call, from the dial or the ring to its evaluation. Names are stored as they were at the time. The ids next to
 * them become null with what they refer to. Lists are ordered by `created_at`, then `id`, and so is an index for each
 * of their filters.
 */
@Entity('calls')
// Has included columns, which the ORM cannot declare: the ones that calls are counted and summed up by.
@Index('calls_user_id_idx', { synchronize: false })
@Index('calls_measured_idx', ['userId', 'createdAt', 'id'], { where: 'quality IS NOT NULL' })
@Index('calls_status_idx', ['userId', 'status', 'createdAt', 'id'])
@Index('calls_type_idx', ['userId', 'type', 'createdAt', 'id'])
@Index('calls_assistant_id_idx', ['assistantId', 'userId', 'createdAt', 'id'], {
  where: 'assistant_id IS NOT NULL',
})
@Index('calls_campaign_id_idx', ['campaignId', 'userId', 'createdAt', 'id'], {
  where: 'campaign_id IS NOT NULL',
})
@Index('calls_client_phone_number_idx', ['userId', 'clientPhoneNumber', 'createdAt', 'id'])
// Of expressions, which the ORM cannot name: the calls of one cell of `call_counts`.
@Index('calls_cell_idx', { synchronize: false })
// The same of `call_routing_counts`.
@Index('calls_routed_idx', { synchronize: false })
// Has included columns as well: how inbound calls were routed.
@Index('calls_inbound_idx', { synchronize: false })
// Likewise: inbound calls whose callers waited for a line.
@Index('calls_waited_idx', { synchronize: false })
@Index('calls_one_live_per_lead_key', ['leadId'], {
  unique: true,
  where: "status IN ('initiated', 'ringing', 'in-progress')",
})
@Index('calls_lead_id_idx', ['leadId'], { where: 'lead_id IS NOT NULL' })
@Index('calls_recorded_idx', ['createdAt'], { where: 'recording_key IS NOT NULL' })
@Index('calls_kept_idx', ['userId', 'createdAt'], { where: 'erased_at IS NULL AND ended_at IS NOT NULL' })
@Index('calls_recorded_of_user_idx', ['userId', 'createdAt'], { where: 'recording_key IS NOT NULL' })
@Index('calls_attempt_id_key', ['attemptId'], { unique: true, where: 'attempt_id IS NOT NULL' })
@Check('calls_type_known', isOneOf('type', CALL_TYPES))
@Check('calls_status_known', isOneOf('status', CALL_STATUSES))
@Check('calls_answered_by_known', isOneOf('answered_by', ANSWERERS))
@Check('calls_gatekeeper_known', isOneOf('gatekeeper', CALL_SCREENERS))
@Check('calls_end_reason_known', isOneOf('end_reason', END_REASONS))
@Check(
  'calls_amounts_not_negative',
  'duration_seconds >= 0 AND carrier_cost_micros >= 0 AND ai_cost_micros >= 0',
)
@Check('calls_recording_whole', '(recording_key IS NULL) = (recording_bytes IS NULL) AND recording_bytes > 0')
export class Call extends OwnedRowWithTimestamps {
  @IdColumn('calls_pkey')
  declare id: number;

  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  @Column({ type: 'text' })
  declare assistantName: string;

  @Column({ type: 'integer', nullable: true })
  declare campaignId: number | null;

  /** Set for every call of a campaign, also when that is gone; null for all others. */
  @Column({ type: 'text', nullable: true })
  declare campaignName: string | null;

  @Column({ type: 'integer', nullable: true })
  declare leadId: number | null;

  /** The attempt that dialled it, whose id is also the carrier's key; null when no attempt dialled it. */
  @Column({ type: 'uuid', nullable: true })
  declare attemptId: string | null;

  /** It failed, and the carrier could not say whether it had dialled: this attempt must not be dialled again. */
  @Column({ type: 'boolean', default: false })
  declare dialInDoubt: boolean;

  @Column({ type: 'text' })
  declare type: CallType;

  /** Changed by the moves of `call-states.ts` alone. */
  @Column({ type: 'text', default: 'initiated' })
  declare status: CallStatus;

  @Column({ type: 'text', nullable: true })
  declare assistantPhoneNumber: string | null;

  /** Name of the carrier, see CallCarriers; null where none was ever chosen. */
  @Column({ type: 'text', nullable: true })
  declare carrier: string | null;

  /** E.164 where the number is one; null on the web. */
  @Column({ type: 'text', nullable: true })
  declare clientPhoneNumber: string | null;

  /** From the answer to the end. */
  @Column({ type: 'integer', default: 0 })
  declare durationSeconds: number;

  @Column({ type: 'text', default: 'unknown' })
  declare answeredBy: Answerer;

  /** What had answered in place of a person; null where none was detected. */
  @Column({ type: 'text', nullable: true })
  declare gatekeeper: CallScreener | null;

  /** Null without an answer, and where it was not recorded. */
  @Column({ type: 'text', nullable: true })
  declare endReason: EndReason | null;

  @Column({ type: 'text', default: '' })
  declare transcript: string;

  /** What the caller or the lead gave; `variables` has all that the call knew in the end. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare inputVariables: Facts;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare variables: Facts;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare evaluation: Facts;

  /** Calls of tools with their answers; written during the call, and until all tools have answered. */
  @Column({ type: 'jsonb', default: () => "'[]'", select: false })
  declare functionCalls: readonly CallFunctionCall[];

  /** What people who listened to the call did in it; written during the call. */
  @Column({ type: 'jsonb', default: () => "'[]'", select: false })
  declare desk: readonly DeskEntry[];

  /** How long the customer waited for answers; null without audio. */
  @Column({ type: 'jsonb', nullable: true })
  declare quality: CallQuality | null;

  /** Which voice was heard last; null while none was, and on lines of words. */
  @Column({ type: 'jsonb', nullable: true })
  declare voice: CallVoice | null;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare webhookResponse: Facts;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare carrierCostMicros: number;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare aiCostMicros: number;

  /** Tokens that models reported for the call and its evaluation; each null while none has. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare inputTokens: number | null;

  /** Of the input, those that providers had kept. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare cachedInputTokens: number | null;

  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare outputTokens: number | null;

  /** Whether the assistant recorded when the call began. */
  @Column({ type: 'boolean', default: false })
  declare recordingEnabled: boolean;

  /** How it came to who answered it, or did not; null unless it came in to a number with a routing, or its caller was looked up. */
  @Column({ type: 'jsonb', nullable: true })
  declare routing: CallRouting | null;

  /** Why it is not recorded, or not to its end, although the assistant records; null where it is. */
  @Column({ type: 'text', nullable: true })
  declare recordingSkipped: RecordingSkip | null;

  /** Of its recording in the storage; null where there is none. */
  @Column({ type: 'text', nullable: true })
  declare recordingKey: string | null;

  @Column({ type: 'integer', nullable: true })
  declare recordingBytes: number | null;

  /** Since when nothing of the person is held any more; nothing about them may be written to it again. */
  @Column({ type: 'timestamptz', nullable: true })
  declare erasedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare startedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare answeredAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare endedAt: Date | null;
}
