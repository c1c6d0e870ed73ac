import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { DailySpendCapError, InsufficientBalanceError } from '../../billing/billing.errors.js';
import { BillingService } from '../../billing/billing.service.js';
import { PhoneNumbersRepository, type RentDue } from '../phone-numbers.repository.js';

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
    private readonly logger: Logger,
  ) {}

  /** Charges one month of each number that has one due. Returns how many were paid. */
  async chargeDue(): Promise<number> {
    let paid = 0;
    for (let afterId = 0; ;) {
      const charged = await this.transactions.run((tx) => this.chargeNext(afterId, tx));
      if (!charged) return paid;
      afterId = charged.id;
      if (charged.isPaid) paid++;
    }
  }

  private async chargeNext(afterId: number, tx: Tx): Promise<{ id: number; isPaid: boolean } | null> {
    const due = await this.numbers.lockRentDue(afterId, tx);
    return due && { id: due.id, isPaid: await this.charge(due, tx) };
  }

  private async charge({ id, userId, phoneNumber, priceMicros, from }: RentDue, tx: Tx): Promise<boolean> {
    const reference = `phone_number:${phoneNumber}:${id}:${from}`;
    try {
      const price = { kind: 'phone_number', amountMicros: priceMicros, reference } as const;
      await this.billing.capture(await this.billing.hold(userId, price, tx), tx);
    } catch (error) {
      if (!(error instanceof InsufficientBalanceError) && !(error instanceof DailySpendCapError)) throw error;
      this.logger.warn('the month of a rented number is not paid', {
        numberId: id,
        userId,
        reason: error.name,
      });
      return false;
    }
    await this.numbers.extendRent(id, tx);
    return true;
  }
}
