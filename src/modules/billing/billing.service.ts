import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LimitsConfig, RetentionConfig } from '../../config/config.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { Handles } from '../../queues/workers/handles.js';
import { BillingRepository, type WalletState } from './billing.repository.js';
import { DailySpendCapError, HoldExpiredError, InsufficientBalanceError } from './billing.errors.js';
import type { HoldTerms } from './holds/hold-terms.js';
import type { LedgerEntry, LedgerKind } from './ledger-entry.entity.js';
import { sweepHoldsJob } from './holds/sweep-holds.job.js';
import { sweepSettledHoldsJob } from './holds/sweep-settled-holds.job.js';

/** Longer than any chat turn may take, so that no live hold is ever swept. */
const STALE_HOLD_MS = 180_000;
const SWEEP_BATCH = 500;

export interface Price {
  readonly kind: LedgerKind;
  readonly amountMicros: number;
}

/** What a charge is for; `reference` is unique within the account. */
export interface Charge extends Price {
  readonly reference: string;
}

/** How many of the wanted holds can be paid for, and why no more. */
export interface Affordable {
  readonly count: number;
  readonly shortage: DailySpendCapError | InsufficientBalanceError | null;
}

/** Money of accounts, in integer micro-dollars: hold first, capture with the result, void without one. */
@Injectable()
export class BillingService {
  constructor(
    private readonly billing: BillingRepository,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
    private readonly retention: RetentionConfig,
  ) {}

  openWallet(userId: number, tx: Tx): Promise<void> {
    return this.billing.createWallet(userId, tx);
  }

  /** Of an account that is about to be deleted. What is left is written off: the ledger, which stays, ends with nothing. */
  closeWallet(userId: number, tx: Tx): Promise<void> {
    return this.billing.closeWallet(userId, tx);
  }

  /** How many entries the ledger has of an account. None is added until the transaction ends. */
  async lockMovements(userId: number, tx: Tx): Promise<number> {
    await this.billing.lockWallet(userId, tx);
    return this.billing.countEntries(userId, tx);
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
    const terms = this.termsOf(charge);
    if (await this.billing.hold(userId, charge.reference, terms, tx)) return terms.id;
    throw await this.explainFailedHold(userId, charge.amountMicros, tx);
  }

  /**
   * Sets more aside for work of the owner that will take longer.
   *
   * @throws InsufficientBalanceError | DailySpendCapError
   */
  async raise(userId: number, holdId: string, amountMicros: number, tx: Tx): Promise<void> {
    if (await this.billing.raise(holdId, amountMicros, this.dailyCapMicros, tx)) return;
    throw await this.explainFailedHold(userId, amountMicros, tx);
  }

  /** Terms of a hold for the owner's own work, with an id of its own. */
  termsOf({ kind, amountMicros }: Price): HoldTerms {
    return { id: randomUUID(), kind, amount: amountMicros, totalCap: this.dailyCapMicros };
  }

  /** Why an amount cannot be held for the owner's own work. */
  async explainFailedHold(
    userId: number,
    amountMicros: number,
    tx?: Tx,
  ): Promise<DailySpendCapError | InsufficientBalanceError> {
    const wallet = await this.billing.findWallet(userId, tx);
    const funded = wallet !== null && wallet.balanceMicros - wallet.heldMicros >= amountMicros;
    return funded ? new DailySpendCapError() : new InsufficientBalanceError();
  }

  /** How many holds of an amount the account could pay for, of those wanted; the wallet is locked until the transaction ends. */
  async affordable(userId: number, amountMicros: number, wanted: number, tx: Tx): Promise<Affordable> {
    if (amountMicros === 0) return { count: wanted, shortage: null };
    return this.affordableOf(await this.billing.lockWallet(userId, tx), amountMicros, wanted);
  }

  /** Why a hold of an amount could not be paid for now; null when it could. A forecast, not a promise. */
  async shortageOf(userId: number, amountMicros: number): Promise<Affordable['shortage']> {
    if (amountMicros === 0) return null;
    return this.affordableOf(await this.billing.walletState(userId), amountMicros, 1).shortage;
  }

  private affordableOf(
    { freeMicros, ownMicros }: WalletState,
    amountMicros: number,
    wanted: number,
  ): Affordable {
    const funded = Math.floor(freeMicros / amountMicros);
    const cap = this.dailyCapMicros;
    const allowed = cap === null ? wanted : Math.max(0, Math.floor((cap - ownMicros) / amountMicros));
    const count = Math.min(wanted, funded, allowed);
    if (count === wanted) return { count, shortage: null };
    return { count, shortage: funded <= allowed ? new InsufficientBalanceError() : new DailySpendCapError() };
  }

  /** Sets the prices of several pieces of work aside, all or none. Returns the holds' ids, in the same order. */
  async holdAll(userId: number, charges: readonly Charge[], tx: Tx): Promise<string[]> {
    const holds = charges.map((charge) => ({ id: randomUUID(), userId, ...charge }));
    if (!(await this.billing.holdAll(userId, holds, tx))) throw new InsufficientBalanceError();
    return holds.map(({ id }) => id);
  }

  /** Charges all that was held. @throws HoldExpiredError when the hold was voided since */
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
  @Handles(sweepHoldsJob)
  async sweepStaleHolds(): Promise<number> {
    const stale = await this.billing.findStaleHolds(STALE_HOLD_MS, SWEEP_BATCH);
    for (const id of stale) await this.billing.void(id);
    return stale.length;
  }

  /** Deletes holds that were captured or voided long ago: the ledger says what became of their money. */
  @Handles(sweepSettledHoldsJob)
  async sweepSettledHolds(): Promise<void> {
    const { settledHoldsMs } = this.retention;
    while ((await this.billing.removeSettledHolds(settledHoldsMs, SWEEP_BATCH)) === SWEEP_BATCH);
  }

  private get dailyCapMicros(): number | null {
    return this.limits.enabled ? (this.limits.dailySpendCapMicros ?? null) : null;
  }
}
