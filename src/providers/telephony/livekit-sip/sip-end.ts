import type { CallEnd } from '../call/carrier-call.js';
import { carrierEndOf } from '../sip/carrier/carrier-end.js';
import { endOfStatus } from '@prosa/sip';

/** `DisconnectReason` of livekit_models.proto, as the numbers that clients have. */
const REASONS = {
  clientInitiated: 1,
  participantRemoved: 4,
  roomDeleted: 5,
  roomClosed: 10,
  userUnavailable: 11,
  userRejected: 12,
} as const;

/** The end that a SIP status gives to an unanswered call: the same as with our own SIP user agent. */
export function endOfSipStatus(status: number): CallEnd {
  return carrierEndOf(endOfStatus(status, ''), null);
}

/**
 * What became of an unanswered call that failed without a SIP answer.
 *
 * @param code of LiveKitApiError
 * @param hasRungOut the time allowed for ringing was over. LiveKit has one code for that, and for a peer that falls silent
 */
export function endOfFailure(code: string, hasRungOut: boolean): CallEnd {
  const isUnanswered = code === 'deadline_exceeded' || (code === 'canceled' && hasRungOut);
  return {
    outcome: isUnanswered ? 'no-answer' : 'failed',
    by: 'carrier',
    reason: `LiveKit: ${code}`,
    answeredMs: 0,
  };
}

/**
 * What the far end's leaving the room means.
 *
 * @param reason of the participant's disconnection; undefined where LiveKit tells none
 * @param answeredMs null without an answer
 */
export function endOfLeaving(reason: number | undefined, answeredMs: number | null): CallEnd {
  if (answeredMs === null) {
    if (reason === REASONS.userUnavailable) return unanswered('no-answer', 'carrier', 'user unavailable');
    // Of several answers that all mean no, the most frequent one.
    if (reason === REASONS.userRejected) return unanswered('busy', 'carrier', 'user rejected');
    if (isEndedHere(reason)) return unanswered('no-answer', 'platform', null);
    return unanswered('failed', 'carrier', `left the room: ${reason ?? 'unknown'}`);
  }
  const by = reason === REASONS.clientInitiated ? 'customer' : isEndedHere(reason) ? 'platform' : 'carrier';
  return {
    outcome: 'hung-up',
    by,
    reason: by === 'carrier' ? `left the room: ${reason ?? 'unknown'}` : null,
    answeredMs,
  };
}

/** Another process of this installation has ended the call. */
function isEndedHere(reason: number | undefined): boolean {
  return (
    reason === REASONS.roomDeleted || reason === REASONS.participantRemoved || reason === REASONS.roomClosed
  );
}

function unanswered(outcome: CallEnd['outcome'], by: CallEnd['by'], reason: string | null): CallEnd {
  return { outcome, by, reason, answeredMs: 0 };
}
