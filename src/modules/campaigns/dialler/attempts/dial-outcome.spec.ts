import { describe, expect, it } from '@jest/globals';
import { dialOutcomeOf } from './dial-outcome.js';

describe('the outcome of a dial', () => {
  it.each([
    ['completed', 'human', false, 'answered'],
    ['completed', 'unknown', false, 'answered'],
    ['completed', 'machine', false, 'voicemail'],
    ['busy', 'unknown', false, 'busy'],
    ['no-answer', 'unknown', false, 'no-answer'],
    ['failed', 'unknown', false, 'failed'],
    // The number is not dialled again until a person confirms it.
    ['failed', 'unknown', true, 'unknown'],
    ['initiated', 'unknown', false, null],
    ['ringing', 'unknown', false, null],
    ['in-progress', 'human', false, null],
    // The work after the call goes on.
    ['ended', 'human', false, null],
    ['ended_by_customer', 'human', false, null],
    ['ended_by_assistant', 'human', false, null],
  ])(
    'of a call that is %s, answered by %s, in doubt: %p, is %p',
    (status, answeredBy, dialInDoubt, outcome) => {
      expect(dialOutcomeOf({ status, answeredBy, dialInDoubt })).toBe(outcome);
    },
  );
});
