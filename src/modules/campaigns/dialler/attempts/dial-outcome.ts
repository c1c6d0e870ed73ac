import type { DialOutcome } from './dial-attempt.entity.js';
import type { LiveAttempt } from './dial-attempts.repository.js';

/** The outcome of a call for its lead. Null while the call, or the work after it, is not finished. */
export function dialOutcomeOf({
  status,
  answeredBy,
  dialInDoubt,
}: Pick<NonNullable<LiveAttempt['call']>, 'status' | 'answeredBy' | 'dialInDoubt'>): DialOutcome | null {
  switch (status) {
    case 'completed':
      return answeredBy === 'machine' ? 'voicemail' : 'answered';
    case 'failed':
      return dialInDoubt ? 'unknown' : 'failed';
    case 'busy':
    case 'no-answer':
      return status;
    default:
      return null;
  }
}
