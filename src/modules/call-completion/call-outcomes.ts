import { storableText } from '../../common/text/storable-text.js';
import type { CallEndedBy, TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import type { CallEnd } from '../../providers/telephony/call/carrier-call.js';
import type { CallStatus, EndReason } from '../calls/call-states.js';

export type UnansweredStatus = Extract<CallStatus, 'busy' | 'no-answer' | 'failed'>;
export type TalkedStatus = Extract<CallStatus, 'ended' | 'ended_by_customer' | 'ended_by_assistant'>;

const TALKED: Readonly<Record<CallEndedBy, TalkedStatus>> = {
  customer: 'ended_by_customer',
  assistant: 'ended_by_assistant',
  silence: 'ended_by_assistant',
  transfer: 'ended_by_assistant',
  limit: 'ended',
  hold: 'ended',
  stopped: 'ended',
  failed: 'ended',
};

/** The state of a call whose talk ended so. */
export function talkedStatus(endedBy: CallEndedBy): TalkedStatus {
  return TALKED[endedBy];
}

const REASONS: Readonly<Record<CallEndedBy, EndReason>> = {
  customer: 'customer',
  assistant: 'assistant',
  silence: 'silence',
  limit: 'max_duration',
  hold: 'max_hold',
  transfer: 'transfer',
  stopped: 'stopped',
  failed: 'failed',
};

/** @param end as the carrier tells it, where it does: a talk also fails because its line is lost */
export function endReason(endedBy: CallEndedBy, end: Pick<CallEnd, 'by'> | null): EndReason {
  return endedBy === 'failed' && end?.by === 'carrier' ? 'line_lost' : REASONS[endedBy];
}

/** Of an answered call of which only the carrier can tell how it ended. */
export function carrierEndReason({ by }: Pick<CallEnd, 'by'>): EndReason {
  return ({ customer: 'customer', platform: 'stopped', carrier: 'line_lost' } as const)[by];
}

/** The state of an answered call of which only the carrier can tell how it ended. */
export function talkedStatusOf({ by }: Pick<CallEnd, 'by'>): TalkedStatus {
  return by === 'customer' ? 'ended_by_customer' : 'ended';
}

/** The state of a call that ended before anybody answered. One that we hung up ourselves has failed. */
export function unansweredStatus({ outcome, by }: Pick<CallEnd, 'outcome' | 'by'>): UnansweredStatus {
  if (outcome === 'busy' || outcome === 'no-answer') return outcome;
  return outcome === 'hung-up' && by === 'customer' ? 'no-answer' : 'failed';
}

/** What is charged and shown of a talk of so long. */
export function talkedSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}

const SPEAKERS: Readonly<Record<TranscriptTurn['speaker'], string>> = {
  assistant: 'AI',
  customer: 'Customer',
  agent: 'Agent',
};

/** One line for each turn. */
export function transcriptOf(turns: readonly TranscriptTurn[]): string {
  const lines = turns.map(
    ({ speaker, text }) => `${SPEAKERS[speaker]}: ${text.replaceAll(/\s+/g, ' ').trim()}`,
  );
  return storableText(lines.join('\n'));
}
