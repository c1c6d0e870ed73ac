import { storableText } from '../../../common/text/storable-text.js';
import type { CallEndedBy, TranscriptTurn } from '../../../runtime/call/call-engine.js';
import type { CallEnd } from '../../../providers/telephony/call-carrier.js';
import type { CallStatus } from '../call-states.js';

export type UnansweredStatus = Extract<CallStatus, 'busy' | 'no-answer' | 'failed'>;
export type TalkedStatus = Extract<CallStatus, 'ended' | 'ended_by_customer' | 'ended_by_assistant'>;

const TALKED: Readonly<Record<CallEndedBy, TalkedStatus>> = {
  customer: 'ended_by_customer',
  assistant: 'ended_by_assistant',
  silence: 'ended_by_assistant',
  transfer: 'ended_by_assistant',
  limit: 'ended',
  stopped: 'ended',
  failed: 'ended',
};

/** The state of a call whose talk ended so. */
export function talkedStatus(endedBy: CallEndedBy): TalkedStatus {
  return TALKED[endedBy];
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
};

/** One line for each turn. */
export function transcriptOf(turns: readonly TranscriptTurn[]): string {
  const lines = turns.map(
    ({ speaker, text }) => `${SPEAKERS[speaker]}: ${text.replaceAll(/\s+/g, ' ').trim()}`,
  );
  return storableText(lines.join('\n'));
}
