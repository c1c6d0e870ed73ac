import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../common/errors/domain-error.js';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { AssistantDetails } from '../../assistants/assistant-details.js';
import { BillingService } from '../../billing/billing.service.js';
import { costOf, totalOf } from '../completion/call-prices.js';
import { ActiveCallsRepository, type NewActiveCall } from '../session/active-calls.repository.js';
import type { Call } from '../call.entity.js';
import { ParallelCallsLimitError } from '../calls.errors.js';
import { PlatformLinesRepository } from './platform-lines.repository.js';

interface CallToBegin {
  readonly call: Pick<Call, 'id' | 'userId'>;
  readonly assistant: AssistantDetails;
}

/** A call, and how far it has come. */
type BegunCall = Pick<NewActiveCall, 'callId' | 'carrier' | 'phoneNumberId'> &
  Partial<Pick<NewActiveCall, 'stage' | 'carrierCallId' | 'leaseToken' | 'leaseUntil'>>;

/** For how many calls there is room, and why not for more. */
export interface Room {
  /** One line for each. */
  readonly lines: readonly number[];
  readonly shortage: DomainError | null;
}

/** What a call takes up while it lasts: a line of the plan and of the platform, and money for its longest duration. */
@Injectable()
export class CallCapacityService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly lines: PlatformLinesRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly config: CallsConfig,
  ) {}

  /**
   * Takes it all for one call, or throws, in the transaction that writes the call.
   *
   * @throws ParallelCallsLimitError | InsufficientBalanceError | DailySpendCapError
   */
  async take({ call, assistant }: CallToBegin, begun: Omit<BegunCall, 'callId'>, tx: Tx): Promise<void> {
    const { lines, shortage } = await this.roomFor(call.userId, assistant, 1, tx);
    if (shortage) throw shortage;
    await this.occupy(call.userId, assistant, lines, [{ callId: call.id, ...begun }], tx);
  }

  /** How many of so many calls the account may begin now; that stays so until the transaction ends. */
  async roomFor(userId: number, assistant: AssistantDetails, wanted: number, tx: Tx): Promise<Room> {
    const { maxCallsInParallel } = await this.accounts.lockLimits(userId, tx);
    const ofPlan = maxCallsInParallel - (await this.lines.countOf(userId, tx));
    if (ofPlan <= 0) return { lines: [], shortage: new ParallelCallsLimitError('plan', maxCallsInParallel) };
    const planned = Math.min(wanted, ofPlan);
    const paid = await this.billing.affordable(userId, this.priceOf(assistant), planned, tx);
    if (paid.count === 0) return { lines: [], shortage: paid.shortage };
    const { maxInParallel } = this.config;
    // Last, because what is locked here is kept from all accounts until the transaction ends.
    const lines = await this.lines.take(paid.count, maxInParallel, tx);
    if (lines.length === wanted) return { lines, shortage: null };
    if (lines.length < paid.count) {
      return { lines, shortage: new ParallelCallsLimitError('platform', maxInParallel) };
    }
    return { lines, shortage: paid.shortage ?? new ParallelCallsLimitError('plan', maxCallsInParallel) };
  }

  /** Takes money for calls, and their lines, of which {@link roomFor} has found one for each. */
  async occupy(
    userId: number,
    assistant: AssistantDetails,
    lines: readonly number[],
    calls: readonly BegunCall[],
    tx: Tx,
  ): Promise<void> {
    const { max_duration: maxDurationSeconds, ringing_time: ringingSeconds } = assistant.config;
    const amountMicros = this.priceOf(assistant);
    const charges = calls.map(
      ({ callId }) => ({ kind: 'call', amountMicros, reference: `call:${callId}` }) as const,
    );
    const holds = amountMicros === 0 ? [] : await this.billing.holdAll(userId, charges, tx);
    const { pricePerMinuteMicros, carrierPricePerMinuteMicros } = this.config;
    const activeCalls = calls.map((call, at) => ({
      ...call,
      userId,
      line: lines[at] ?? null,
      holdId: holds[at] ?? null,
      maxDurationSeconds,
      ringingSeconds,
      pricePerMinuteMicros,
      carrierPricePerMinuteMicros,
    }));
    await this.activeCalls.add(activeCalls, tx);
  }

  private priceOf({ config }: AssistantDetails): number {
    return totalOf(costOf(config.max_duration, this.config));
  }
}
