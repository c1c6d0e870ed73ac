import { Injectable } from '@nestjs/common';
import type { DialOutcome } from '../dial-attempt.entity.js';
import { OutboundCalls } from '../../calls/outbound-calls.js';
import { AttemptSettlement } from './attempt-settlement.js';
import { Dialler } from './dialler.js';

/** What the end of a call means for the lead who was called. */
@Injectable()
export class LeadOutcomes {
  constructor(
    private readonly calls: OutboundCalls,
    private readonly settlement: AttemptSettlement,
    private readonly dialler: Dialler,
  ) {}

  /** Settles the attempt of a call that is over; any other call, and one settled before, changes nothing. */
  async settle(callId: number): Promise<void> {
    const call = await this.calls.outcomeOf(callId);
    const outcome = call && outcomeOf(call.status, call.answeredBy);
    if (!outcome) return;
    await this.settlement.settleEnded(callId, outcome, call.evaluation);
    // Its line is free for the next lead.
    this.dialler.wake();
  }

  /** A line is free although the work after its call goes on. */
  lineFreed(): void {
    this.dialler.wake();
  }
}

/** Null while the call, or the work after it, goes on. */
function outcomeOf(status: string, answeredBy: string): DialOutcome | null {
  switch (status) {
    case 'completed':
      return answeredBy === 'machine' ? 'voicemail' : 'answered';
    case 'busy':
    case 'no-answer':
    case 'failed':
      return status;
    default:
      return null;
  }
}
