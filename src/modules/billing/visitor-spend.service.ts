import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { DailySpendCapError, InsufficientBalanceError, VisitorLimitError } from './billing.errors.js';
import { BillingRepository } from './billing.repository.js';
import { BillingService, type Charge } from './billing.service.js';
import type { VisitorBudget } from './visitor-budget.js';
import { VisitorSpendRepository } from './visitor-spend.repository.js';

/** What visitors may make an account spend a day. */
export interface VisitorCap {
  readonly micros: number;
  /** Whether it is the installation's. */
  readonly isDefault: boolean;
}

/** Money that is spent by visitors, who have no token: it has limits of its own, and leaves the owner's work alone. */
@Injectable()
export class VisitorSpendService {
  constructor(
    private readonly spend: VisitorSpendRepository,
    private readonly wallets: BillingRepository,
    private readonly billing: BillingService,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Sets the price of a visitor's message aside, and counts it. The transaction must not be committed after an error.
   *
   * @throws InsufficientBalanceError | VisitorLimitError | DailySpendCapError
   */
  async hold(userId: number, charge: Charge, budget: VisitorBudget, tx: Tx): Promise<string> {
    if (!this.limits.enabled) return this.billing.hold(userId, charge, tx);
    const id = randomUUID();
    const caps = {
      visitorsMicros: this.defaultCapMicros,
      totalMicros: this.limits.dailySpendCapMicros ?? null,
    };
    if (await this.spend.hold({ id, userId, ...charge }, budget, caps, tx)) return id;
    throw await this.refusalOf(userId, charge.amountMicros, budget, tx);
  }

  async capOf(userId: number): Promise<VisitorCap> {
    const wallet = await this.wallets.findWallet(userId);
    const own = wallet?.visitorsCapMicros ?? null;
    return { micros: own ?? this.defaultCapMicros, isDefault: own === null };
  }

  /** @param micros null: as the installation says */
  async setCap(userId: number, micros: number | null): Promise<VisitorCap> {
    await this.spend.setCap(userId, micros);
    return this.capOf(userId);
  }

  /** Deletes counters that count for nothing any more. */
  sweep(): Promise<void> {
    return this.spend.removeOld();
  }

  private async refusalOf(
    userId: number,
    amountMicros: number,
    { assistantId, messagesPerHour, dailySpendMicros }: VisitorBudget,
    tx: Tx,
  ): Promise<Error> {
    const state = await this.spend.stateOf(userId, assistantId, this.defaultCapMicros, tx);
    const { secondsToNextDay, secondsToNextHour, visitorsCapMicros } = state;
    if (state.freeMicros < amountMicros) return new InsufficientBalanceError();
    if (state.assistantMicros + amountMicros > dailySpendMicros) {
      return new VisitorLimitError('daily_spend_per_assistant', dailySpendMicros, secondsToNextDay);
    }
    if (state.visitorsMicros + amountMicros > visitorsCapMicros) {
      return new VisitorLimitError('daily_spend_per_account', visitorsCapMicros, secondsToNextDay);
    }
    if (state.messages + 1 > messagesPerHour) {
      return new VisitorLimitError('messages_per_hour', messagesPerHour, secondsToNextHour);
    }
    // Else something was given back since the refusal.
    return this.limits.dailySpendCapMicros === undefined
      ? new TooManyRequestsError(1)
      : new DailySpendCapError();
  }

  private get defaultCapMicros(): number {
    return this.limits.visitors.dailySpendPerAccountMicros;
  }
}
