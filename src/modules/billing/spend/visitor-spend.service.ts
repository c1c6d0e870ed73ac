import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { LimitsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { DailySpendCapError, InsufficientBalanceError, VisitorLimitError } from '../billing.errors.js';
import { BillingRepository } from '../billing.repository.js';
import { BillingService, type Charge, type Price } from '../billing.service.js';
import type { HoldTerms } from '../holds/hold-terms.js';
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
   * Sets the price of a visitor's message aside, and counts it.
   *
   * @throws InsufficientBalanceError | VisitorLimitError | DailySpendCapError
   */
  async hold(userId: number, charge: Charge, budget: VisitorBudget, tx: Tx): Promise<string> {
    const terms = this.termsOf(charge, budget);
    if (await this.wallets.hold(userId, charge.reference, terms, tx)) return terms.id;
    throw await this.explainFailedHold(userId, charge.amountMicros, budget, tx);
  }

  /** Terms of a hold for what a visitor spends, with an id of its own. */
  termsOf(price: Price, { assistantId, dailySpendMicros, messagesPerHour }: VisitorBudget): HoldTerms {
    const terms = this.billing.termsOf(price);
    if (!this.limits.enabled) return terms;
    return {
      ...terms,
      assistantId,
      assistantCap: dailySpendMicros,
      messagesPerHour,
      visitorsCap: this.defaultCapMicros,
    };
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

  /** Why an amount that a visitor wants to spend cannot be held. */
  async explainFailedHold(
    userId: number,
    amountMicros: number,
    { assistantId, messagesPerHour, dailySpendMicros }: VisitorBudget,
    tx?: Tx,
  ): Promise<Error> {
    if (!this.limits.enabled) return this.billing.explainFailedHold(userId, amountMicros, tx);
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
