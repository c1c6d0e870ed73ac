import type { DialOutcome } from './attempts/dial-attempt.entity.js';

/** What a campaign says of those who were not reached. */
export interface RetryRules {
  /** Attempts after the first one, whatever each of them failed with. */
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

/**
 * - `completed`: the person was reached
 * - `retry`: call again after the interval
 * - `give-up`: not reached, no attempt is left; a secondary contact is next
 * - `unclear`: nobody knows whether the carrier dialled, so nobody may be called again without a human's word
 */
export type NextStep = 'completed' | 'retry' | 'give-up' | 'unclear';

export function nextStep(rules: RetryRules, { outcome, attempts, goalMet }: AttemptResult): NextStep {
  if (outcome === 'unknown') return 'unclear';
  const reached =
    (outcome === 'answered' && !(rules.retryOnGoalIncomplete && goalMet === false)) ||
    (outcome === 'voicemail' && !rules.retryOnVoicemail);
  if (reached) return 'completed';
  return attempts <= rules.maxRetries ? 'retry' : 'give-up';
}
