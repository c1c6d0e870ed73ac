import { Injectable } from '@nestjs/common';
import { failpoint } from '#src/common/failpoints.js';
import { CallStopsService } from '../../../call-sessions/ends/call-stops.service.js';
import { CallPlacementService } from '../../../outbound-calls/call-placement.service.js';
import { AttemptResultsService } from './attempt-results.service.js';
import type { Claim } from '../claims/lead-claimer.service.js';
import { LeadLocksRepository, STOPPED } from '../claims/lead-locks.repository.js';

/** Hands a claimed lead to the carrier, under its lock. */
@Injectable()
export class AttemptSenderService {
  constructor(
    private readonly locks: LeadLocksRepository,
    private readonly results: AttemptResultsService,
    private readonly placement: CallPlacementService,
    private readonly stops: CallStopsService,
  ) {}

  /** Sends and gives the lock back in any case. The sweeper handles failures after the lease. */
  async send(claim: Claim): Promise<void> {
    try {
      await this.dial(claim);
    } finally {
      await this.locks.unlock(claim.lock);
    }
  }

  private async dial({ attempt, lock, reserved }: Claim): Promise<void> {
    const { callId, campaignId, userId } = attempt;
    // A process that was frozen since the claim, or follows one that died, may find that the campaign has been stopped.
    const askedAtMs = performance.now();
    const runState = campaignId === null ? STOPPED : await this.locks.runStateOf(lock, campaignId);
    await failpoint('before-send');
    const result = await this.placement.send(callId, askedAtMs + runState.openMs, reserved);
    await failpoint('after-reply-before-outcome');
    switch (result) {
      case 'sent':
        // Its end settles the attempt, and may have done so already.
        // A predecessor had asked the carrier before the campaign was stopped, and died.
        if (!runState.isRunning && campaignId !== null) {
          await this.stops.stopCampaignCalls(userId, campaignId);
        }
        break;
      case 'undelivered':
        await this.results.withdraw(attempt);
        break;
      case 'not-sent':
        await this.results.settle(callId, 'failed');
        break;
      case 'unknown':
        // While the call is open, the next owner of the lease asks again. An ended call has its outcome on record.
        await this.results.settleEnded(callId);
        break;
    }
    await failpoint('after-outcome');
  }
}
