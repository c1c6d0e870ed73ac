import { Injectable } from '@nestjs/common';
import { KeyedBatcher } from '#src/common/concurrency/keyed-batcher.js';
import { Transactions, type Tx } from '#src/database/transactions.js';
import { CallCarriers } from '#src/providers/telephony/call-carriers.js';
import { OutboundCallsService } from '../../../outbound-calls/outbound-calls.service.js';
import { LeadDialsService, type LeadRefusal } from '../../../leads/lead-dials.service.js';
import { CampaignLifecycleService } from '../../campaign-lifecycle.service.js';
import type { DialOutcome } from './dial-attempt.entity.js';
import {
  DialAttemptsRepository,
  type LiveAttempt,
  type SendingAttempt,
  type Settlement,
} from './dial-attempts.repository.js';
import { dialOutcomeOf } from './dial-outcome.js';
import { nextStep } from '../outcomes/next-step.js';

const MINUTE_MS = 60_000;
/** How often a number is looked at again that must not be called at this hour. */
const CLOSED_HOURS_MS = 15 * MINUTE_MS;
/** How often a number is looked at again that the account has another call with. */
const ON_THE_PHONE_MS = 3_000;
const MAX_AT_ONCE = 64;

/** Writes what an attempt came to, and what its lead does next, in one transaction. */
@Injectable()
export class AttemptResultsService {
  private readonly reads = new KeyedBatcher<'all', number, LiveAttempt | null>(async (_all, callIds) => {
    const attempts = await this.attempts.findLive(callIds);
    const byCall = new Map(attempts.map((attempt) => [attempt.callId, attempt]));
    return callIds.map((callId) => byCall.get(callId) ?? null);
  }, MAX_AT_ONCE);

  /** By account, so that no account waits for the rows of another. */
  private readonly writes = new KeyedBatcher<number, Settlement, boolean>(async (_userId, settlements) => {
    const settled = await this.attempts.settle(settlements);
    return settlements.map(({ attemptId }) => settled.has(attemptId));
  }, MAX_AT_ONCE);

  /** By campaign: many attempts that end at the same time ask once whether anybody is left. */
  private readonly completions = new KeyedBatcher<number, number, void>(async (campaignId, userIds) => {
    await this.lifecycle.completeIfDone(Number(userIds[0]), campaignId);
    return userIds.map(() => undefined);
  }, MAX_AT_ONCE);

  constructor(
    private readonly attempts: DialAttemptsRepository,
    private readonly leads: LeadDialsService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly calls: OutboundCallsService,
    private readonly carriers: CallCarriers,
    private readonly transactions: Transactions,
  ) {}

  /** What the sender knows. Nothing happens to an attempt that is settled: sender, job and sweeper may all come. */
  async settle(callId: number, outcome: DialOutcome): Promise<void> {
    const live = await this.reads.run('all', callId);
    if (live) await this.write(live, outcome);
  }

  /** The outcome from the ended call. False while the call, or the work after it, is not finished. */
  async settleEnded(callId: number): Promise<boolean> {
    const live = await this.reads.run('all', callId);
    // It was settled before, or belongs to no attempt.
    if (!live) return true;
    // The record of the call is gone, so it is unknown whether it was dialled.
    const outcome = live.call ? dialOutcomeOf(live.call) : 'unknown';
    if (!outcome) return false;
    await this.write(live, outcome);
    return true;
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

  /** Puts leads aside that may not be called before the hours of their country have begun. */
  waitForHours(leadIds: readonly number[], tx: Tx): Promise<void> {
    return this.leads.scheduleRetries(leadIds, CLOSED_HOURS_MS, tx);
  }

  /** Puts leads aside that another call of the account rings or talks to. */
  waitForPhone(leadIds: readonly number[], tx: Tx): Promise<void> {
    return this.leads.scheduleRetries(leadIds, ON_THE_PHONE_MS, tx);
  }

  /** The lead was not reached; its next contact is called instead. */
  fail(leadId: number, tx: Tx): Promise<void> {
    return this.leads.fail(leadId, tx);
  }

  /** The lead may never be called. Its next contact is called instead. */
  refuse(leadId: number, reason: LeadRefusal, tx: Tx): Promise<void> {
    return this.leads.refuse(leadId, reason, tx);
  }

  private async write(live: LiveAttempt, outcome: DialOutcome): Promise<void> {
    const { userId, campaign } = live;
    const isSettled = await this.writes.run(userId, this.settlementOf(live, outcome));
    if (isSettled && campaign?.completes) await this.completions.run(campaign.id, userId);
  }

  private settlementOf(
    { id: attemptId, leadId, number, call, campaign }: LiveAttempt,
    outcome: DialOutcome,
  ): Settlement {
    // The lead may have been deleted while the call was on, alone or with its campaign.
    if (leadId === null || campaign === null) return { attemptId, outcome, step: null, waitMs: null };
    const { goalCompletionVariable: goal } = campaign;
    const goalMet = goal === null ? null : call?.evaluation[goal] === true;
    const step = nextStep(campaign, { outcome, attempts: number, goalMet });
    if (step !== 'retry') return { attemptId, outcome, step, waitMs: null };
    // In the sandbox intervals run at its speed.
    const { speed } = this.carriers.named(call?.carrier ?? '').capabilities;
    return { attemptId, outcome, step, waitMs: (campaign.retryIntervalMinutes * MINUTE_MS) / speed };
  }
}
