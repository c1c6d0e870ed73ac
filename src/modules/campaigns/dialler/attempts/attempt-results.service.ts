import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../../database/transactions.js';
import { CallCarriers } from '../../../../providers/telephony/call-carriers.js';
import { OutboundCallsService } from '../../../calls/placement/outbound-calls.service.js';
import { LeadDialsService } from '../../../leads/lead-dials.service.js';
import { CampaignLifecycleService } from '../../campaign-lifecycle.service.js';
import { CampaignNotFoundError } from '../../campaigns.errors.js';
import type { DialOutcome } from './dial-attempt.entity.js';
import { DialAttemptsRepository, type LiveAttempt, type SendingAttempt } from './dial-attempts.repository.js';
import { nextStep } from '../next-step.js';

const MINUTE_MS = 60_000;
/** How often a number is looked at again that must not be called at this hour. */
const CLOSED_HOURS_MS = 15 * MINUTE_MS;

export type Evaluation = Readonly<Record<string, unknown>>;

/** Writes what an attempt came to, and what its lead does next, in one transaction. */
@Injectable()
export class AttemptResultsService {
  constructor(
    private readonly attempts: DialAttemptsRepository,
    private readonly leads: LeadDialsService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly calls: OutboundCallsService,
    private readonly carriers: CallCarriers,
    private readonly transactions: Transactions,
  ) {}

  /** What the sender knows. Nothing happens to an attempt that is settled: sender, job and sweeper may all come. */
  settle(callId: number, outcome: DialOutcome): Promise<void> {
    return this.write(callId, outcome, {}, () => true);
  }

  /** What the end of the call says. */
  settleEnded(callId: number, outcome: DialOutcome, evaluation: Evaluation): Promise<void> {
    // Of a call that failed while it was sent, the sender alone knows whether nobody was called or nobody can say.
    return this.write(callId, outcome, evaluation, ({ isSending }) => outcome !== 'failed' || !isSending);
  }

  /**
   * Takes back an attempt that was provably not sent: the lead waits as before, and has no attempt less. To be called
   * under the lead's lock.
   */
  async withdraw({ id, callId }: SendingAttempt): Promise<void> {
    await this.transactions.run(async (tx) => {
      const live = await this.attempts.lockLive(callId, tx);
      if (live?.id === id && (await this.calls.withdraw(callId, tx))) await this.attempts.withdraw(id, tx);
    });
  }

  /** Puts a lead aside that may not be called: for good, or until its country's hours may have begun. */
  passOver(leadId: number, forGood: boolean, tx: Tx): Promise<void> {
    if (forGood) return this.giveUp(leadId, tx);
    return this.leads.scheduleRetry(leadId, CLOSED_HOURS_MS, tx);
  }

  /** The lead was not reached; its next contact is called instead. */
  giveUp(leadId: number, tx: Tx): Promise<void> {
    return this.leads.giveUp(leadId, tx);
  }

  private async write(
    callId: number,
    outcome: DialOutcome,
    evaluation: Evaluation,
    isTold: (attempt: LiveAttempt) => boolean,
  ): Promise<void> {
    const attempt = await this.transactions.run(async (tx) => {
      const live = await this.attempts.lockLive(callId, tx);
      if (!live || !isTold(live)) return null;
      await this.attempts.settle(live.id, outcome, tx);
      await this.moveLead(live, outcome, evaluation, tx);
      return live;
    });
    if (attempt?.campaign?.completes) await this.completeIfDone(attempt.userId, attempt.campaign.id);
  }

  private async moveLead(
    { leadId, number, campaign, carrier }: LiveAttempt,
    outcome: DialOutcome,
    evaluation: Evaluation,
    tx: Tx,
  ): Promise<void> {
    // Lead and campaign may have been deleted while the call was on.
    if (leadId === null || campaign === null) return;
    const { goalCompletionVariable: goal } = campaign;
    const goalMet = goal === null ? null : evaluation[goal] === true;
    switch (nextStep(campaign, { outcome, attempts: number, goalMet })) {
      case 'retry': {
        // In the sandbox intervals run at its speed.
        const { speed } = this.carriers.named(carrier).capabilities;
        const waitMs = (campaign.retryIntervalMinutes * MINUTE_MS) / speed;
        return this.leads.scheduleRetry(leadId, waitMs, tx);
      }
      case 'give-up':
        return this.giveUp(leadId, tx);
      case 'completed':
        return this.leads.complete(leadId, tx);
      case 'unclear':
        return this.leads.abandon(leadId, tx);
    }
  }

  private async completeIfDone(userId: number, campaignId: number): Promise<void> {
    try {
      await this.lifecycle.completeIfDone(userId, campaignId);
    } catch (error) {
      // Deleted since: there is nothing left to complete.
      if (!(error instanceof CampaignNotFoundError)) throw error;
    }
  }
}
