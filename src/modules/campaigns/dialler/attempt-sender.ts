import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/failpoints.js';
import { OutboundCalls } from '../../calls/outbound-calls.js';
import { AttemptSettlement } from './attempt-settlement.js';
import { DialAttemptsRepository, type SendingAttempt } from './dial-attempts.repository.js';
import type { Claim } from './dial-gate.js';
import { LeadLocks } from './lead-locks.repository.js';

/** Hands a claimed lead to the carrier, under its lock. */
@Injectable()
export class AttemptSender {
  constructor(
    private readonly locks: LeadLocks,
    private readonly attempts: DialAttemptsRepository,
    private readonly settlement: AttemptSettlement,
    private readonly calls: OutboundCalls,
  ) {}

  /** Sends and gives the lock back, whatever comes of it. What fails here the sweeper takes up after the lease. */
  async send({ attempt, lock }: Claim): Promise<void> {
    try {
      // A process that was frozen since the claim may wake up in another world.
      if (attempt.campaignId !== null && (await this.locks.campaignRuns(lock, attempt.campaignId))) {
        await this.dial(attempt);
      } else await this.cancel(attempt, attempt.campaignId);
    } finally {
      await this.locks.unlock(lock);
    }
  }

  private async dial(attempt: SendingAttempt): Promise<void> {
    await failpoint('before-send');
    const result = await this.calls.send(attempt.callId);
    await failpoint('after-reply-before-outcome');
    if (result === 'sent') await this.enterCall(attempt);
    else if (result === 'not-sent') await this.settlement.settle(attempt.callId, 'failed', {});
    // In doubt: while the call stands, whoever comes after the lease asks again.
    else if (await this.hasEnded(attempt)) await this.settlement.settle(attempt.callId, 'unknown', {});
    await failpoint('after-outcome');
  }

  /** The campaign was stopped or deleted before the carrier was asked, or while a predecessor did so and died. */
  private async cancel(attempt: SendingAttempt, campaignId: number | null): Promise<void> {
    if (campaignId !== null) await this.calls.stopCampaignCalls(attempt.userId, campaignId);
    if (await this.hasEnded(attempt)) await this.settlement.settle(attempt.callId, 'failed', {});
    else await this.enterCall(attempt);
  }

  private async enterCall({ id, callId }: SendingAttempt): Promise<void> {
    // A call that failed at once found its attempt still being sent, and was left to us.
    if (await this.attempts.markInCall(id)) await this.settlement.settle(callId, 'failed', {});
  }

  private async hasEnded({ callId }: SendingAttempt): Promise<boolean> {
    const call = await this.calls.outcomeOf(callId);
    return call === null || call.status === 'failed';
  }
}
