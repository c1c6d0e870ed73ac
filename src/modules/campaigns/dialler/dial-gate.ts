import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/failpoints.js';
import { Clock } from '../../../common/time/clock.js';
import { TelephonyConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { OutboundCalls } from '../../calls/outbound-calls.js';
import { AttemptSettlement } from './attempt-settlement.js';
import { DialClaimsRepository, type DueLead, type OpenCampaign } from './dial-claims.repository.js';
import type { SendingAttempt } from './dial-attempts.repository.js';
import { type LeadLock, LeadLocks } from './lead-locks.repository.js';
import { refusalOf } from './refusal.js';

/** Leads that somebody else is holding although they look due; after so many the campaign waits for its next turn. */
const MAX_HELD_LEADS = 5;

/** A lead that is about to be dialled, and whose lock is held. */
export interface Claim {
  readonly attempt: SendingAttempt;
  readonly lock: LeadLock;
}

/** `passed`: a lead is out of the way without a call. `nothing`: nobody is due, or there is no room. */
export type ClaimResult = Claim | 'passed' | 'nothing';

/** What one run of the claim's transaction has got hold of. */
interface Hold {
  lock: LeadLock | null;
  lead: DueLead | null;
}

/**
 * Decides whether a campaign may dial, and whom. All that can forbid a call is checked in the transaction that records
 * the attempt, so that a stop, a closed window or an entry of the do-not-call list that was committed before holds.
 */
@Injectable()
export class DialGate {
  constructor(
    private readonly claims: DialClaimsRepository,
    private readonly locks: LeadLocks,
    private readonly settlement: AttemptSettlement,
    private readonly calls: OutboundCalls,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly telephony: TelephonyConfig,
  ) {}

  /**
   * Claims the campaign's next lead. The caller sends, and then gives the lock back.
   *
   * @throws InsufficientBalanceError, and what else OutboundCalls.reserve refuses with
   */
  async claim(campaignId: number): Promise<ClaimResult> {
    const hold: Hold = { lock: null, lead: null };
    let claimed: Claim | null = null;
    try {
      const result = await this.transactions.run((tx) => this.claimIn(campaignId, hold, tx));
      if (typeof result === 'object') claimed = result;
      if (claimed) await failpoint('after-claim');
      return result;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!hold.lead || (refusal !== 'never' && refusal !== 'later')) throw error;
      await this.settlement.passOver(hold.lead.leadId, refusal);
      return 'passed';
    } finally {
      if (!claimed) await this.release(hold);
    }
  }

  private async claimIn(campaignId: number, hold: Hold, tx: Tx): Promise<ClaimResult> {
    // The transaction may be run again.
    await this.release(hold);
    const campaign = await this.claims.lockOpen(campaignId, this.clock.date(), tx);
    if (!campaign || !(await this.holdNext(campaign, hold, tx))) return 'nothing';
    const { lock, lead } = hold;
    if (!lock || !lead || lead.from === null) return 'nothing';
    if (lead.attempts > campaign.maxRetries) {
      // The campaign allowed more when the retry was planned.
      await this.settlement.giveUp(lead.leadId, tx);
      return 'passed';
    }
    const attempt = await this.record(campaign, lead, lead.from, tx);
    if (!attempt) return 'nothing';
    await failpoint('before-claim-commit');
    return { attempt, lock };
  }

  /** Finds a due lead that nobody holds. */
  private async holdNext(campaign: OpenCampaign, hold: Hold, tx: Tx): Promise<boolean> {
    const held: number[] = [];
    while (held.length < MAX_HELD_LEADS) {
      const lead = await this.claims.pickDue(campaign, this.clock.date(), held, tx);
      if (!lead) return false;
      hold.lock = await this.locks.tryLock(lead.leadId);
      hold.lead = lead;
      if (hold.lock) return true;
      held.push(lead.leadId);
    }
    return false;
  }

  private async record(
    { id: campaignId, userId, assistantId }: OpenCampaign,
    { leadId, attempts, to, variables }: DueLead,
    from: string,
    tx: Tx,
  ): Promise<SendingAttempt | null> {
    const id = randomUUID();
    const call = { userId, assistantId, from, to, attemptId: id, campaignId, leadId, variables };
    const { callId } = await this.calls.reserve(tx, call);
    const leaseMs = this.telephony.dialLeaseMs;
    const attempt = { id, userId, campaignId, leadId, callId, number: attempts + 1, from, to, leaseMs };
    if (!(await this.claims.addAttempt(attempt, tx))) {
      throw new Error(`lead ${leadId} is waiting and has a live attempt`);
    }
    return { id, userId, campaignId, leadId, callId };
  }

  private async release(hold: Hold): Promise<void> {
    const { lock } = hold;
    hold.lock = null;
    if (lock) await this.locks.unlock(lock);
  }
}
