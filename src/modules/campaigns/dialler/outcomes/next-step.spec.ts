import { describe, expect, it } from '@jest/globals';
import { DIAL_OUTCOMES, type DialOutcome } from '../attempts/dial-attempt.entity.js';
import type { LeadStep } from '../../../leads/lead-dials.service.js';
import { nextStep, type RetryRules } from './next-step.js';

const rules = (changes: Partial<RetryRules> = {}): RetryRules => ({
  maxRetries: 2,
  retryOnVoicemail: false,
  retryOnGoalIncomplete: false,
  ...changes,
});

describe('nextStep', () => {
  it.each<[DialOutcome, LeadStep, LeadStep]>([
    ['answered', 'completed', 'completed'],
    ['voicemail', 'completed', 'completed'],
    ['busy', 'retry', 'give-up'],
    ['no-answer', 'retry', 'give-up'],
    ['failed', 'retry', 'give-up'],
    ['unknown', 'unclear', 'unclear'],
  ])('after %s says %s, and %s when no attempt is left', (outcome, first, last) => {
    expect(nextStep(rules(), { outcome, attempts: 1, goalMet: null })).toBe(first);
    expect(nextStep(rules(), { outcome, attempts: 3, goalMet: null })).toBe(last);
  });

  it('calls again after a voicemail when the campaign wants that', () => {
    const voicemail = { outcome: 'voicemail', goalMet: null } as const;
    expect(nextStep(rules({ retryOnVoicemail: true }), { ...voicemail, attempts: 1 })).toBe('retry');
    expect(nextStep(rules({ retryOnVoicemail: true }), { ...voicemail, attempts: 3 })).toBe('give-up');
  });

  it.each<[boolean | null, boolean, LeadStep]>([
    [false, true, 'retry'],
    [true, true, 'completed'],
    [null, true, 'completed'],
    [false, false, 'completed'],
  ])('after an answer with goal met = %s and retry on goal = %s says %s', (goalMet, wanted, step) => {
    const answered = { outcome: 'answered', attempts: 1, goalMet } as const;
    expect(nextStep(rules({ retryOnGoalIncomplete: wanted }), answered)).toBe(step);
  });

  it('retries as often as max_retries says: after that many attempts once more, after one more never', () => {
    for (const maxRetries of [1, 2, 3, 4, 5]) {
      const busy = { outcome: 'busy', goalMet: null } as const;
      expect(nextStep(rules({ maxRetries }), { ...busy, attempts: maxRetries })).toBe('retry');
      expect(nextStep(rules({ maxRetries }), { ...busy, attempts: maxRetries + 1 })).toBe('give-up');
    }
  });

  it('never makes more than 1 + max_retries attempts, whatever they end with', () => {
    const all = rules({ retryOnVoicemail: true, retryOnGoalIncomplete: true });
    for (const outcome of DIAL_OUTCOMES) {
      for (const maxRetries of [1, 2, 3, 4, 5]) {
        const result = { outcome, attempts: 1 + maxRetries, goalMet: false };
        expect(nextStep({ ...all, maxRetries }, result)).not.toBe('retry');
      }
    }
  });
});
