/** How a call ended. `hung-up` after an answer; the others without one. */
export type SipCallOutcome =
  'hung-up' | 'cancelled' | 'busy' | 'no-answer' | 'declined' | 'moved' | 'unassigned' | 'failed';

export interface SipCallEnd {
  readonly outcome: SipCallOutcome;
  /** `network`: neither side hung up; a timeout, a refusal on the way, silence. */
  readonly by: 'local' | 'remote' | 'network';
  /** Of the SIP response that ended it, where one did. */
  readonly status: number | null;
  /** For the operator: fixed words, or the peer's reason phrase. */
  readonly reason: string;
}

/** The end of a call by the final response to its INVITE. */
export function endOfStatus(status: number, reason: string): SipCallEnd {
  return { outcome: outcomeOf(status), by: 'remote', status, reason };
}

function outcomeOf(status: number): SipCallOutcome {
  if (status >= 300 && status < 400) return 'moved';
  switch (status) {
    case 486:
    case 600:
      return 'busy';
    case 408:
    case 480:
      return 'no-answer';
    case 487:
      return 'cancelled';
    case 403:
    case 603:
    case 607:
    case 608:
      return 'declined';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'unassigned';
    default:
      return 'failed';
  }
}
