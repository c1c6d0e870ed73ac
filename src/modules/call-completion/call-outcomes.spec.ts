import { describe, expect, it } from '@jest/globals';
import { CALL_ENDED_BY } from '../../runtime/call/session/call-setup.js';
import { END_REASONS } from '../calls/call-states.js';
import {
  carrierEndReason,
  endReason,
  talkedStatus,
  talkedStatusOf,
  transcriptOf,
  unansweredStatus,
} from './call-outcomes.js';

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
    ['hold', 'ended'],
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

  it('has a reason of its own for each end', () => {
    const reasons = CALL_ENDED_BY.map((endedBy) => endReason(endedBy, null));
    expect(new Set([...reasons, 'line_lost'])).toEqual(new Set(END_REASONS));
    expect(endReason('failed', { by: 'carrier' })).toBe('line_lost');
    expect(endReason('failed', { by: 'platform' })).toBe('failed');
    expect(endReason('hold', { by: 'platform' })).toBe('max_hold');
    expect((['customer', 'platform', 'carrier'] as const).map((by) => carrierEndReason({ by }))).toEqual([
      'customer',
      'stopped',
      'line_lost',
    ]);
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
