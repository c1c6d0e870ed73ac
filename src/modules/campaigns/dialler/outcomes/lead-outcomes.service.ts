import { Injectable } from '@nestjs/common';
import { AttemptResultsService } from '../attempts/attempt-results.service.js';
import { DiallerService } from '../dialler.service.js';

/** What the end of a call means for the lead who was called. */
@Injectable()
export class LeadOutcomesService {
  constructor(
    private readonly results: AttemptResultsService,
    private readonly dialler: DiallerService,
  ) {}

  /** Settles the attempt of a call that is over; any other call, and one settled before, changes nothing. */
  async settle(callId: number): Promise<void> {
    // Its line is free for the next lead.
    if (await this.results.settleEnded(callId)) this.dialler.wake();
  }

  /** A line is free although the work after its call is not finished. */
  lineFreed(): void {
    this.dialler.wake();
  }
}
