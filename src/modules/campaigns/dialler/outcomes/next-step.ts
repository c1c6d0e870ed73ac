import type { LeadStep } from '../../../leads/lead-dials.service.js';
import type { DialOutcome } from '../attempts/dial-attempt.entity.js';

export type { LeadStep } from '../../../leads/lead-dials.service.js';

/** What a campaign says of those who were not reached. */
export interface RetryRules {
  /** Attempts after the first one, for any kind of failure. */
  readonly maxRetries: number;
  readonly retryOnVoicemail: boolean;
  readonly retryOnGoalIncomplete: boolean;
}

export interface AttemptResult {
  readonly outcome: DialOutcome;
  /** Attempts of the lead so far, this one included. */
  readonly attempts: number;
  /** Null when the campaign has no goal. */
  readonly goalMet: boolean | null;
}

export function nextStep(rules: RetryRules, { outcome, attempts, goalMet }: AttemptResult): LeadStep {
  if (outcome === 'unknown') return 'unclear';
  const reached =
    (outcome === 'answered' && !(rules.retryOnGoalIncomplete && goalMet === false)) ||
    (outcome === 'voicemail' && !rules.retryOnVoicemail);
  if (reached) return 'completed';
  return attempts <= rules.maxRetries ? 'retry' : 'give-up';
}
