import { describe, expect, it } from '@jest/globals';
import { talkedStatus, talkedStatusOf, transcriptOf, unansweredStatus } from './call-outcomes.js';

describe('the outcome of a call', () => {
  it.each([
    ['busy', 'carrier', 'busy'],
    ['no-answer', 'carrier', 'no-answer'],
    ['failed', 'carrier', 'failed'],
    ['hung-up', 'customer', 'no-answer'],
    ['hung-up', 'platform', 'failed'],
    ['failed', 'customer', 'failed'],
  ] as const)('without an answer, %s by the %s is %s', (outcome, by, status) => {
    expect(unansweredStatus({ outcome, by })).toBe(status);
  });

  it.each([
    ['customer', 'ended_by_customer'],
    ['assistant', 'ended_by_assistant'],
    ['silence', 'ended_by_assistant'],
    ['transfer', 'ended_by_assistant'],
    ['limit', 'ended'],
    ['stopped', 'ended'],
    ['failed', 'ended'],
  ] as const)('after a talk that was ended by %s is %s', (endedBy, status) => {
    expect(talkedStatus(endedBy)).toBe(status);
  });

  it.each([
    ['customer', 'ended_by_customer'],
    ['platform', 'ended'],
    ['carrier', 'ended'],
  ] as const)('of which the carrier alone knows that the %s ended it is %s', (by, status) => {
    expect(talkedStatusOf({ by })).toBe(status);
  });

  it('tells the transcript in lines, one for each turn, that no column refuses', () => {
    expect(
      transcriptOf([
        { speaker: 'assistant', text: 'Olá!\n\n  Tudo bem?', startMs: 0, endMs: 800, interrupted: false },
        { speaker: 'customer', text: ' Sim\0 \ud800', startMs: 900, endMs: 1_200, interrupted: false },
      ]),
    ).toBe('AI: Olá! Tudo bem?\nCustomer: Sim \ufffd');
  });
});
