import { Injectable } from '@nestjs/common';
import type { DialOutcome } from './attempts/dial-attempt.entity.js';
import { OutboundCallsService } from '../../calls/placement/outbound-calls.service.js';
import { AttemptResultsService } from './attempts/attempt-results.service.js';
import { DiallerService } from './dialler.service.js';

/** What the end of a call means for the lead who was called. */
@Injectable()
export class LeadOutcomesService {
  constructor(
    private readonly calls: OutboundCallsService,
    private readonly results: AttemptResultsService,
    private readonly dialler: DiallerService,
  ) {}

  /** Settles the attempt of a call that is over; any other call, and one settled before, changes nothing. */
  async settle(callId: number): Promise<void> {
    const call = await this.calls.outcomeOf(callId);
    const outcome = call && outcomeOf(call.status, call.answeredBy);
    if (!outcome) return;
    await this.results.settleEnded(callId, outcome, call.evaluation);
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
