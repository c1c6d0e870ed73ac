import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { Handles } from '../../../queues/workers/handles.js';
import { DailySpendCapError, InsufficientBalanceError } from '../../billing/billing.errors.js';
import { BillingService } from '../../billing/billing.service.js';
import { dollarsOf } from '../../billing/money.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import { PhoneNumbersRepository, type RentDue } from '../phone-numbers.repository.js';
import { RENT_UNPAID, type RentUnpaidPayload } from './rent-unpaid.event.js';
import { chargeRentsJob } from './charge-rents.job.js';

type Obstacle = RentUnpaidPayload['reason'];

interface Charged {
  readonly id: number;
  readonly isPaid: boolean;
  readonly isEventWanted: boolean;
}

/**
 * Charges the months of rented numbers after the first, each once: charge and month are of one transaction, and the ledger
 * takes no month twice. What cannot be paid is tried again with every run. Nothing is given back for want of money: a number
 * that customers know must not be lost over night.
 */
@Injectable()
export class NumberRentsService {
  constructor(
    private readonly numbers: PhoneNumbersRepository,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly webhooks: WebhooksService,
    private readonly logger: Logger,
  ) {}

  /** Charges one month of each number that has one due. Returns how many were paid. */
  @Handles(chargeRentsJob)
  async chargeDue(): Promise<number> {
    let paid = 0;
    for (let afterId = 0; ;) {
      const charged = await this.transactions.run((tx) => this.chargeNext(afterId, tx));
      if (!charged) return paid;
      afterId = charged.id;
      if (charged.isPaid) paid++;
      if (charged.isEventWanted) this.webhooks.wake();
    }
  }

  /** Numbers that the account pays for by the month. */
  list(userId: number): Promise<PhoneNumber[]> {
    return this.numbers.listRentedByMonth(userId);
  }

  private async chargeNext(afterId: number, tx: Tx): Promise<Charged | null> {
    const due = await this.numbers.lockRentDue(afterId, tx);
    if (!due) return null;
    const obstacle = await this.pay(due, tx);
    if (obstacle)
      return { id: due.id, isPaid: false, isEventWanted: await this.publishUnpaid(due, obstacle, tx) };
    await this.numbers.extendRent(due.id, tx);
    return { id: due.id, isPaid: true, isEventWanted: false };
  }

  /** @returns what keeps the account from paying; null when it is paid */
  private async pay(
    { id, userId, phoneNumber, priceMicros, from }: RentDue,
    tx: Tx,
  ): Promise<Obstacle | null> {
    const reference = `phone_number:${phoneNumber}:${id}:${from}`;
    const price = { kind: 'phone_number', amountMicros: priceMicros, reference } as const;
    try {
      await this.billing.capture(await this.billing.hold(userId, price, tx), tx);
      return null;
    } catch (error) {
      if (error instanceof InsufficientBalanceError) return 'balance';
      if (error instanceof DailySpendCapError) return 'daily-cap';
      throw error;
    }
  }

  /** Tells the account once, until the month is paid. @returns whether an event waits to be sent */
  private async publishUnpaid(due: RentDue, reason: Obstacle, tx: Tx): Promise<boolean> {
    const { id, userId, phoneNumber, priceMicros } = due;
    const since = await this.numbers.markRentUnpaid(id, tx);
    if (!since) return false;
    this.logger.warn('the month of a rented number is not paid', { numberId: id, userId, reason });
    const data: RentUnpaidPayload = {
      phone_number_id: id,
      phone_number: phoneNumber,
      price: dollarsOf(priceMicros),
      reason,
      unpaid_since: since.toISOString(),
    };
    return this.webhooks.publish({ userId, kind: RENT_UNPAID, subjectId: `${id}:${due.from}`, data }, tx);
  }
}
