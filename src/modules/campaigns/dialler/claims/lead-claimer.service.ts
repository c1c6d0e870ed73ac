import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DomainError } from '#src/common/errors/domain-error.js';
import { failpoint } from '#src/common/failpoints.js';
import { TelephonyConfig } from '#src/config/config.js';
import { Transactions, type Tx } from '#src/database/transactions.js';
import {
  type CalleeRefusal,
  DestinationRefusedError,
  DoNotCallError,
  OutsideCallingHoursError,
} from '../../../calls/calls.errors.js';
import type { LeadRefusal } from '../../../leads/lead-dials.service.js';
import { OutboundCallsService, type Reservations } from '../../../outbound-calls/outbound-calls.service.js';
import type { RunningCall } from '../../../active-calls/running-call.js';
import { AttemptResultsService } from '../attempts/attempt-results.service.js';
import { DialClaimsRepository, type DueLead, type OpenCampaign } from './dial-claims.repository.js';
import type { SendingAttempt } from '../attempts/dial-attempts.repository.js';
import { type LeadLock, LeadLocksRepository } from './lead-locks.repository.js';

/** How often due leads are searched again when other processes hold all of those found. */
const MAX_ATTEMPTS = 5;

/** A lead that is about to be dialled, and whose lock is held. */
export interface Claim {
  readonly attempt: SendingAttempt;
  readonly lock: LeadLock;
  /** Its call as it was just written; null when another process left it. */
  readonly reserved: RunningCall | null;
}

export interface Claims {
  readonly claims: readonly Claim[];
  /** Leads that are out of the way without a call. */
  readonly passed: number;
  /** Why no more were claimed, where that is the account's or the platform's limit. */
  readonly shortage: DomainError | null;
  /** Another claims from the campaign, or changes it, or it does not dial any more. */
  readonly isBusy: boolean;
}

/** A lead with its lock and the number that calls it. */
interface HeldLead extends DueLead {
  readonly attemptId: string;
  readonly from: string;
  readonly lock: LeadLock;
}

const NOTHING: Claims = { claims: [], passed: 0, shortage: null, isBusy: false };

/**
 * Decides whether a campaign may dial, and whom. Every condition is checked in the transaction that records the
 * attempts. A stop, a closed window or a do-not-call entry that was committed before therefore holds.
 */
@Injectable()
export class LeadClaimerService {
  constructor(
    private readonly claims: DialClaimsRepository,
    private readonly locks: LeadLocksRepository,
    private readonly results: AttemptResultsService,
    private readonly calls: OutboundCallsService,
    private readonly transactions: Transactions,
    private readonly telephony: TelephonyConfig,
  ) {}

  /** Claims the campaign's next leads, at most so many. The caller sends, and then gives the locks back. */
  async claim(campaignId: number, limit: number): Promise<Claims> {
    const held = new Set<LeadLock>();
    try {
      const result = await this.transactions.run((tx) => this.claimIn(campaignId, limit, held, tx));
      if (result.claims.length > 0) await failpoint('after-claim');
      for (const { lock } of result.claims) held.delete(lock);
      return result;
    } finally {
      await this.release(held);
    }
  }

  private async claimIn(campaignId: number, limit: number, held: Set<LeadLock>, tx: Tx): Promise<Claims> {
    // The transaction may be run again.
    await this.release(held);
    const campaign = await this.claims.lockOpen(campaignId, null, tx);
    if (!campaign) return { ...NOTHING, isBusy: true };
    const leads = await this.holdDue(campaign, limit, held, tx);
    // The campaign may have allowed more when the retry was planned.
    const exhausted = leads.filter(({ attempts }) => attempts > campaign.maxRetries);
    for (const { leadId } of exhausted) await this.results.fail(leadId, tx);
    const callable = leads.filter(({ attempts }) => attempts <= campaign.maxRetries);
    if (callable.length === 0) return { ...NOTHING, passed: exhausted.length };
    const order = { userId: campaign.userId, assistantId: campaign.assistantId, campaign };
    const reservations = await this.calls.reserveAll(tx, order, callable);
    await this.passOver(callable, reservations, tx);
    const claims = await this.record(campaign, callable, reservations, tx);
    if (claims.length > 0) await failpoint('before-claim-commit');
    return {
      claims,
      passed: exhausted.length + reservations.refused.size + reservations.onThePhone.size,
      shortage: reservations.shortage,
      isBusy: false,
    };
  }

  /** Puts the leads aside that may not be called: for good, or for a while. */
  private async passOver(
    leads: readonly HeldLead[],
    { refused, onThePhone }: Reservations,
    tx: Tx,
  ): Promise<void> {
    const idsOf = (isPassed: (attemptId: string) => boolean) =>
      leads.filter(({ attemptId }) => isPassed(attemptId)).map(({ leadId }) => leadId);
    for (const { leadId, attemptId } of leads) {
      const reason = finalReasonOf(refused.get(attemptId));
      if (reason) await this.results.refuse(leadId, reason, tx);
    }
    await this.results.waitForHours(
      idsOf((id) => refused.get(id) instanceof OutsideCallingHoursError),
      tx,
    );
    await this.results.waitForPhone(
      idsOf((id) => onThePhone.has(id)),
      tx,
    );
  }

  /** Finds due leads that no other process holds. */
  private async holdDue(
    campaign: OpenCampaign,
    limit: number,
    held: Set<LeadLock>,
    tx: Tx,
  ): Promise<HeldLead[]> {
    const seen: number[] = [];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const due = await this.claims.pickDue(campaign, null, limit, seen, tx);
      const locks = await this.locks.tryLockAll(due.map(({ leadId }) => leadId));
      for (const lock of locks) held.add(lock);
      const byLead = new Map(locks.map((lock) => [lock.leadId, lock]));
      const leads = due.flatMap((lead) => {
        const { leadId, from } = lead;
        const lock = byLead.get(leadId);
        // Without a number, neither of the campaign nor of the assistant, no call can be placed.
        return lock && from !== null ? [{ ...lead, lock, from, attemptId: randomUUID() }] : [];
      });
      if (leads.length > 0 || locks.length > 0 || due.length === 0) return leads;
      seen.push(...due.map(({ leadId }) => leadId));
    }
    return [];
  }

  private async record(
    { id: campaignId, userId }: OpenCampaign,
    leads: readonly HeldLead[],
    { calls }: Reservations,
    tx: Tx,
  ): Promise<Claim[]> {
    const reserved = leads.flatMap((lead) => {
      const call = calls.get(lead.attemptId);
      if (!call) return [];
      return [{ ...lead, id: lead.attemptId, call, callId: call.call.id, number: lead.attempts + 1 }];
    });
    if (reserved.length === 0) return [];
    const owner = { userId, campaignId, leaseMs: this.telephony.dialLeaseMs };
    if ((await this.claims.addAttempts(reserved, owner, tx)) !== reserved.length) {
      throw new Error(`campaign ${campaignId} has leads that wait and have live attempts`);
    }
    return reserved.map(({ id, leadId, callId, lock, call }) => ({
      attempt: { id, userId, campaignId, leadId, callId },
      lock,
      reserved: call,
    }));
  }

  private async release(held: Set<LeadLock>): Promise<void> {
    for (const lock of held) {
      held.delete(lock);
      await this.locks.unlock(lock);
    }
  }
}

/** Why a lead is never called; null where it is called later. */
function finalReasonOf(refusal: CalleeRefusal | undefined): LeadRefusal | null {
  if (refusal instanceof DoNotCallError) return 'do_not_call';
  if (refusal instanceof DestinationRefusedError)
    return refusal.reason === 'country' ? 'country' : 'number_type';
  return null;
}
