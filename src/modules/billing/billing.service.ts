import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/config.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { BillingRepository } from './billing.repository.js';
import { DailySpendCapError, HoldExpiredError, InsufficientBalanceError } from './billing.errors.js';
import type { LedgerEntry, LedgerKind } from './ledger-entry.entity.js';

/** Longer than any chat turn may take, so that no live hold is ever swept. */
const STALE_HOLD_MS = 180_000;
const SWEEP_BATCH = 500;

/** What a charge is for; `reference` is unique within the account. */
export interface Charge {
  readonly kind: LedgerKind;
  readonly amountMicros: number;
  readonly reference: string;
}

/** Money of accounts, in integer micro-dollars: hold first, capture with the result, void without one. */
@Injectable()
export class BillingService {
  constructor(
    private readonly billing: BillingRepository,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
  ) {}

  openWallet(userId: number, tx: Tx): Promise<void> {
    return this.billing.createWallet(userId, tx);
  }

  async balanceMicros(userId: number): Promise<number> {
    const wallet = await this.billing.findWallet(userId);
    return wallet?.balanceMicros ?? 0;
  }

  /** Whether `amountMicros` could be held now; a forecast, not a promise. */
  async canAfford(userId: number, amountMicros: number): Promise<boolean> {
    const wallet = await this.billing.findWallet(userId);
    return wallet !== null && wallet.balanceMicros - wallet.heldMicros >= amountMicros;
  }

  /**
   * Sets the price of a piece of work aside and returns the hold's id.
   *
   * @throws InsufficientBalanceError | DailySpendCapError
   */
  async hold(userId: number, charge: Charge, tx: Tx): Promise<string> {
    const id = randomUUID();
    const cap = this.limits.enabled ? (this.limits.dailySpendCapMicros ?? null) : null;
    if (await this.billing.hold({ id, userId, ...charge }, cap, tx)) return id;
    const wallet = await this.billing.findWallet(userId, tx);
    const funded = wallet !== null && wallet.balanceMicros - wallet.heldMicros >= charge.amountMicros;
    throw funded ? new DailySpendCapError() : new InsufficientBalanceError();
  }

  /** Charges all that was held. @throws HoldExpiredError when the hold was voided meanwhile */
  async capture(holdId: string, tx: Tx): Promise<void> {
    if (!(await this.billing.capture(holdId, null, tx))) throw new HoldExpiredError();
  }

  /**
   * Charges a part of what was held, and gives the rest back; nothing leaves no trace in the ledger.
   *
   * @param amountMicros at most what was held
   * @throws HoldExpiredError when the hold is not open any more, or holds less
   */
  async capturePart(holdId: string, amountMicros: number, tx: Tx): Promise<void> {
    if (amountMicros === 0) return this.billing.void(holdId, tx);
    if (!(await this.billing.capture(holdId, amountMicros, tx))) throw new HoldExpiredError();
  }

  void(holdId: string, tx?: Tx): Promise<void> {
    return this.billing.void(holdId, tx);
  }

  credit(userId: number, amountMicros: number, reference: string): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.billing.createWallet(userId, tx);
      await this.billing.credit({ userId, kind: 'credit', amountMicros, reference }, tx);
    });
  }

  transactionsOf(userId: number, page: PageRequest): Promise<PageOf<LedgerEntry>> {
    return this.billing.pageOfEntries(userId, page);
  }

  /** Voids the holds of work that died with its process. Returns how many. */
  async sweepStaleHolds(): Promise<number> {
    const stale = await this.billing.findStaleHolds(STALE_HOLD_MS, SWEEP_BATCH);
    for (const id of stale) await this.billing.void(id);
    return stale.length;
  }
}
