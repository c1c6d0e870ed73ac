import { Injectable } from '@nestjs/common';
import { CallsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { BillingService } from '../billing/billing.service.js';
import { costOf, totalOf } from './call-prices.js';
import { CallRunsRepository, type NewCallRun } from './call-runs.repository.js';
import type { Call } from './call.entity.js';
import { ParallelCallsLimitError } from './calls.errors.js';

interface CallToBegin {
  readonly call: Pick<Call, 'id' | 'userId'>;
  readonly assistant: AssistantDetails;
}

/** What a call takes up while it lasts: a line of the plan and of the platform, and money for its longest duration. */
@Injectable()
export class CallCapacity {
  constructor(
    private readonly runs: CallRunsRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly config: CallsConfig,
  ) {}

  /**
   * Takes it all, or throws, in the transaction that writes the call.
   *
   * @throws ParallelCallsLimitError | InsufficientBalanceError | DailySpendCapError
   */
  async take({ call, assistant }: CallToBegin, begun: Partial<NewCallRun>, tx: Tx): Promise<void> {
    const { userId, id: callId } = call;
    const { max_duration: maxDurationSeconds, ringing_time: ringingSeconds } = assistant.config;
    const { maxCallsInParallel } = await this.accounts.lockLimits(userId, tx);
    if ((await this.runs.countOf(userId, tx)) >= maxCallsInParallel) {
      throw new ParallelCallsLimitError('plan', maxCallsInParallel);
    }
    const amountMicros = totalOf(costOf(maxDurationSeconds, this.config));
    const charge = { kind: 'call', amountMicros, reference: `call:${callId}` } as const;
    const holdId = amountMicros === 0 ? null : await this.billing.hold(userId, charge, tx);
    const { maxInParallel, pricePerMinuteMicros, carrierPricePerMinuteMicros } = this.config;
    // Last, because from here on all accounts wait for the end of the transaction.
    if ((await this.runs.countAllLocked(tx)) >= maxInParallel) {
      throw new ParallelCallsLimitError('platform', maxInParallel);
    }
    const prices = { pricePerMinuteMicros, carrierPricePerMinuteMicros };
    await this.runs.add(
      { callId, userId, holdId, maxDurationSeconds, ringingSeconds, ...prices, ...begun },
      tx,
    );
  }
}
