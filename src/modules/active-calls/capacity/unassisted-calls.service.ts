import { Injectable } from '@nestjs/common';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BillingService } from '../../billing/billing.service.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { ParallelCallsLimitError } from '../../calls/calls.errors.js';
import { ActiveCallsRepository } from '../active-calls.repository.js';
import type { BegunCall } from './call-capacity.service.js';
import { costOf, totalOf } from './call-prices.js';
import type { QueueTerms } from '../queue/queue-terms.js';
import { QueuedCallsRepository } from '../queue/queued-calls.repository.js';
import { ForwardsRepository } from './forwards.repository.js';

/** Calls of one account that are forwarded at the same time. Each takes a line of the carrier, and none of the plan. */
const MAX_FORWARDS = 10;
/** Longer than any text of 1,000 characters takes. */
export const MAX_MESSAGE_SECONDS = 180;

interface Durations {
  readonly maxDurationSeconds: number;
  readonly ringingSeconds: number;
}

/** What a call without an assistant takes up: money for its line. Its trunk carries it already, and it takes no line of the plan. */
@Injectable()
export class UnassistedCallsService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly forwards: ForwardsRepository,
    private readonly queued: QueuedCallsRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly config: CallsConfig,
  ) {}

  /**
   * For a call on which a message is spoken, in the transaction that writes the call.
   *
   * @throws InsufficientBalanceError | DailySpendCapError
   */
  async takeMessage(
    call: Pick<StoredCall, 'id' | 'userId'>,
    begun: Omit<BegunCall, 'callId'>,
    tx: Tx,
  ): Promise<void> {
    await this.accounts.lockLimits(call.userId, tx);
    await this.take(call, { maxDurationSeconds: MAX_MESSAGE_SECONDS, ringingSeconds: 0 }, begun, tx);
  }

  /**
   * For a call whose caller waits for a line. A message after the wait is paid with it.
   *
   * @param maxWaiting how many callers of the number may wait
   * @returns the position, from 1
   * @throws ParallelCallsLimitError | InsufficientBalanceError | DailySpendCapError
   */
  async takeWaiting(
    call: Pick<StoredCall, 'id' | 'userId'>,
    terms: QueueTerms,
    maxWaiting: number,
    begun: Omit<BegunCall, 'callId'> & { readonly phoneNumberId: number },
    tx: Tx,
  ): Promise<number> {
    const { id, userId } = call;
    await this.accounts.lockLimits(userId, tx);
    const waiting = await this.queued.countOfNumber(userId, begun.phoneNumberId, tx);
    if (waiting >= maxWaiting) throw new ParallelCallsLimitError('queue', maxWaiting);
    const maxDurationSeconds = terms.maxSeconds + MAX_MESSAGE_SECONDS;
    await this.take(call, { maxDurationSeconds, ringingSeconds: 0 }, begun, tx);
    await this.queued.enter(id, terms, tx);
    return waiting + 1;
  }

  /**
   * For a call that is forwarded. The second leg costs nothing.
   *
   * @throws ParallelCallsLimitError | InsufficientBalanceError | DailySpendCapError
   */
  async takeForward(
    call: Pick<StoredCall, 'id' | 'userId'>,
    ringingSeconds: number,
    begun: Omit<BegunCall, 'callId'>,
    tx: Tx,
  ): Promise<void> {
    await this.lockForwards(call.userId, tx);
    const maxDurationSeconds = this.config.forwardMaxSeconds;
    await this.take(call, { maxDurationSeconds, ringingSeconds }, begun, tx);
  }

  /**
   * One more call of the account may be forwarded; that stays so until the transaction ends.
   *
   * @throws ParallelCallsLimitError
   */
  async lockForwards(userId: number, tx: Tx): Promise<void> {
    await this.accounts.lockLimits(userId, tx);
    if ((await this.forwards.countOf(userId, tx)) >= MAX_FORWARDS)
      throw new ParallelCallsLimitError('plan', MAX_FORWARDS);
  }

  private async take(
    { id: callId, userId }: Pick<StoredCall, 'id' | 'userId'>,
    durations: Durations,
    { lineIsFree, ...begun }: Omit<BegunCall, 'callId'>,
    tx: Tx,
  ): Promise<void> {
    const prices = {
      pricePerMinuteMicros: 0,
      carrierPricePerMinuteMicros: lineIsFree ? 0 : this.config.carrierPricePerMinuteMicros,
    };
    const amountMicros = totalOf(costOf(durations.maxDurationSeconds, prices));
    const charge = { kind: 'call', amountMicros, reference: `call:${callId}` } as const;
    const holdId = amountMicros === 0 ? null : await this.billing.hold(userId, charge, tx);
    const active = { ...begun, ...durations, ...prices, callId, userId, holdId };
    await this.activeCalls.add([{ ...active, line: null, withoutLine: true, callsPerSecond: null }], tx);
  }
}
