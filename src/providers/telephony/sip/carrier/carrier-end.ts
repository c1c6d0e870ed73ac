import type { CallEnd, TransferOutcome } from '../../call/carrier-call.js';
import { type SipCallEnd, reasonPhrase } from '@prosa/sip';

/** A person rejected the call on the phone. */
const DECLINED_BY_HAND = 603;

/**
 * What the end of a SIP call is to those who have calls made.
 *
 * @param answeredMs null without an answer
 */
export function carrierEndOf(end: SipCallEnd, answeredMs: number | null): CallEnd {
  if (answeredMs !== null) {
    const reason = end.by === 'network' ? end.reason : null;
    return { outcome: 'hung-up', by: BY[end.by], reason, answeredMs };
  }
  const isOurs = end.by === 'local' && end.outcome !== 'no-answer' && end.outcome !== 'failed';
  const isCallers = end.outcome === 'cancelled' && end.by === 'remote';
  const by = isOurs ? 'platform' : isCallers ? 'customer' : 'carrier';
  return { outcome: outcomeOf(end), by, reason: reasonOf(end), answeredMs: 0 };
}

/** What the SIP answer of the far end of a transfer means. */
export function transferOutcomeOfStatus(status: number): TransferOutcome {
  if (status < 300) return 'answered';
  if (status === 486 || status === 600) return 'busy';
  if (status === 603) return 'declined';
  return status === 408 || status === 480 || status === 487 ? 'no-answer' : 'failed';
}

const BY = { local: 'platform', remote: 'customer', network: 'carrier' } as const;

function outcomeOf({ outcome, status }: SipCallEnd): CallEnd['outcome'] {
  switch (outcome) {
    case 'busy':
      return 'busy';
    case 'declined':
      return status === DECLINED_BY_HAND ? 'busy' : 'failed';
    case 'no-answer':
    case 'cancelled':
      return 'no-answer';
    case 'hung-up':
    case 'moved':
    case 'unassigned':
    case 'failed':
      return 'failed';
  }
}

/** Never the peer's own phrase: it may hold anything. */
function reasonOf({ status, reason }: SipCallEnd): string {
  return status === null ? reason : `${status} ${reasonPhrase(status)}`;
}
