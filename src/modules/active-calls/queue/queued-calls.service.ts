import { Injectable } from '@nestjs/common';
import type { RoutingReason } from '../../../common/phone/call-routing.js';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { RuntimeAssistant } from '../../assistants/assistants.service.js';
import { BillingService } from '../../billing/billing.service.js';
import { CallLostError } from '../../calls/calls.errors.js';
import type { ActiveCall } from '../active-call.entity.js';
import { type CallPrices, costOf, totalOf } from '../capacity/call-prices.js';
import { ConcurrencySlotsRepository } from '../concurrency-slots.repository.js';
import type { RunningCall } from '../running-call.js';
import type { QueuePlace } from './queue-terms.js';
import { QueuedCallsRepository } from './queued-calls.repository.js';

type QueuedCall = Pick<RunningCall, 'call' | 'active'> & { readonly lease: { readonly token: string } };

/** Calls whose callers wait: each gets a line in its turn, or leaves. */
@Injectable()
export class QueuedCallsService {
  constructor(
    private readonly queued: QueuedCallsRepository,
    private readonly lines: ConcurrencySlotsRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly config: CallsConfig,
  ) {}

  /** Of those of these calls that wait; first those that came first to their account. */
  placesOf(callIds: readonly number[]): Promise<readonly QueuePlace[]> {
    return this.queued.placesOf(callIds);
  }

  /** Why the first caller of a number waits; null where none does. */
  reasonOfFirst(userId: number, phoneNumberId: number): Promise<RoutingReason | null> {
    return this.queued.reasonOfFirst(userId, phoneNumberId);
  }

  /** Of all accounts. */
  countAll(): Promise<number> {
    return this.queued.countAll();
  }

  /**
   * Gives a waiting call a line of the plan and of the platform, and sets aside what the assistant may cost. False while lines
   * are free only for those of the account who came before.
   *
   * @param waitedSeconds since the answer, in the carrier's time
   * @throws InsufficientBalanceError | DailySpendCapError
   * @throws CallLostError when it does not wait any more, or another process has it
   */
  async serve(
    queued: QueuedCall,
    { config }: RuntimeAssistant,
    waitedSeconds: number,
    tx: Tx,
  ): Promise<boolean> {
    const { id: callId, userId } = queued.call;
    const { maxCallsInParallel, maxCallsPerSecond } = await this.accounts.lockLimits(userId, tx);
    await this.lock(queued, tx);
    const { all, before } = await this.queued.countOf(userId, callId, tx);
    const taken = (await this.lines.countOf(userId, tx)) - all;
    if (taken + before >= maxCallsInParallel) return false;
    const [line, ...others] = await this.lines.take(before + 1, this.config.maxInParallel, tx);
    if (line === undefined || others.length < before) return false;
    const maxDurationSeconds = waitedSeconds + config.max_duration;
    const { pricePerMinuteMicros } = this.config;
    const carrierPricePerMinuteMicros = carrierPriceOf(queued.active);
    const prices = { pricePerMinuteMicros, carrierPricePerMinuteMicros };
    const holdId = await this.setAside(
      queued,
      totalOf(costOf(maxDurationSeconds, prices, waitedSeconds)),
      tx,
    );
    const callsPerSecond = maxCallsPerSecond ?? this.config.accountCallsPerSecond ?? null;
    const terms = { line, holdId, maxDurationSeconds, pricePerMinuteMicros, callsPerSecond, waitedSeconds };
    await this.queued.serve(callId, terms, tx);
    return true;
  }

  /**
   * A caller waits no more, and no assistant talks: the line alone is paid from here on, for so many seconds at most.
   *
   * @param maxDurationSeconds from the answer, in the carrier's time
   * @returns what is set aside then
   * @throws InsufficientBalanceError | DailySpendCapError
   * @throws CallLostError as in {@link serve}
   */
  async leave(
    queued: QueuedCall,
    maxDurationSeconds: number,
    tx: Tx,
  ): Promise<Pick<ActiveCall, 'holdId' | 'maxDurationSeconds'>> {
    await this.lock(queued, tx);
    const prices = { pricePerMinuteMicros: 0, carrierPricePerMinuteMicros: carrierPriceOf(queued.active) };
    const holdId = await this.setAside(queued, totalOf(costOf(maxDurationSeconds, prices)), tx);
    const terms = { holdId, maxDurationSeconds };
    await this.queued.leave(queued.call.id, terms, tx);
    return terms;
  }

  private async lock({ call, lease }: QueuedCall, tx: Tx): Promise<void> {
    if (!(await this.queued.lock(call.id, lease.token, tx))) throw new CallLostError();
  }

  /** In addition to what is held for the wait. */
  private async setAside({ call, active }: QueuedCall, wholeMicros: number, tx: Tx): Promise<string | null> {
    const prices: CallPrices = {
      pricePerMinuteMicros: 0,
      carrierPricePerMinuteMicros: carrierPriceOf(active),
    };
    const moreMicros = wholeMicros - totalOf(costOf(active.maxDurationSeconds, prices));
    if (moreMicros <= 0) return active.holdId;
    if (active.holdId !== null) {
      await this.billing.raise(call.userId, active.holdId, moreMicros, tx);
      return active.holdId;
    }
    const charge = { kind: 'call', amountMicros: moreMicros, reference: `call:${call.id}` } as const;
    return this.billing.hold(call.userId, charge, tx);
  }
}

function carrierPriceOf({ carrierPricePerMinuteMicros }: ActiveCall): number {
  return carrierPricePerMinuteMicros ?? 0;
}
