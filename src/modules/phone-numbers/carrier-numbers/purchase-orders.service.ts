import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { NumberNotOfferedError, type NumberOffer } from '../../../providers/telephony/number-carrier.js';
import { isMoneyShortage } from '../../billing/billing.errors.js';
import { BillingService } from '../../billing/billing.service.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import { NumberInUseError, NumberNotForSaleError, PaymentRequiredError } from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import type { CarrierOrder } from './carrier-order.entity.js';
import { CarrierOrdersRepository, OrderTakenOverError } from './carrier-orders.repository.js';
import { NumberReturnsService } from './number-returns.service.js';

type PurchaseOrder = Omit<CarrierOrder, 'kind' | 'attemptedAt'>;

/** The rows of a purchase: its order, the hold of its price, and the number. */
@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly orders: CarrierOrdersRepository,
    private readonly numbers: PhoneNumbersRepository,
    private readonly carrierAccounts: CarrierAccountsService,
    private readonly billing: BillingService,
    private readonly returns: NumberReturnsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens the order, and holds the price.
   *
   * @returns the hold; null where the account pays the carrier itself
   * @throws NumberNotForSaleError | NumberInUseError | PaymentRequiredError
   */
  open(order: PurchaseOrder, offer: NumberOffer): Promise<string | null> {
    return this.transactions.run((tx) => this.place(order, offer, tx));
  }

  /** Stores the number and captures the hold, after the carrier has sold it. @throws OrderTakenOverError */
  complete(order: PurchaseOrder, offer: NumberOffer, holdId: string | null): Promise<PhoneNumber> {
    const { id, userId, carrierAccountId } = order;
    return this.transactions.runWithVerifiedCommit(async (tx) => {
      if (!(await this.orders.close(id, 'buy', tx))) throw new OrderTakenOverError();
      if (holdId !== null) await this.billing.capture(holdId, tx);
      const rented = { userId, type: 'normal', carrierAccountId, ...numberOf(offer) } as const;
      const number = await this.numbers.add(rented, tx);
      if (carrierAccountId === null) await this.numbers.beginRent(number.id, offer.monthlyPriceMicros, tx);
      await this.effect.extend(tx, String(number.id));
      return number;
    });
  }

  /** Never fails: the sweep finds what is not undone here. */
  async undo(order: PurchaseOrder, holdId: string | null, cause: unknown): Promise<void> {
    try {
      if (holdId !== null) await this.billing.void(holdId);
      if (cause instanceof NumberNotOfferedError) await this.orders.close(order.id, 'buy');
      else if ((await this.orders.abandon(order.id)) || (await this.reopen(order)))
        await this.returns.giveBack({ ...order, kind: 'release' });
    } catch (error) {
      this.logger.warn('a failed purchase is not undone yet', { err: error, orderId: order.id });
    }
  }

  /**
   * The sweep may have ended the order before the carrier sold the number: it is given back once more. False when another
   * order or a tenant has the number.
   */
  private reopen(order: PurchaseOrder): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      if (!(await this.orders.open({ ...order, kind: 'release' }, tx))) return false;
      if (!(await this.numbers.isRented(order.phoneNumber, tx))) return true;
      await this.orders.close(order.id, 'release', tx);
      return false;
    });
  }

  /** Opens the order before it looks for a tenant: a purchase since the search has closed its order of the number by then. */
  private async place(order: PurchaseOrder, offer: NumberOffer, tx: Tx): Promise<string | null> {
    const { userId, carrierAccountId } = order;
    const isThere =
      carrierAccountId === null || (await this.carrierAccounts.hold(userId, carrierAccountId, tx));
    // Removed since the search.
    if (!isThere) throw new NumberNotForSaleError();
    if (!(await this.orders.open({ ...order, kind: 'buy' }, tx))) throw new NumberInUseError();
    if (await this.numbers.isRented(offer.e164, tx)) throw new NumberInUseError();
    if (carrierAccountId !== null) return null;
    try {
      return await this.billing.hold(
        userId,
        {
          kind: 'phone_number',
          amountMicros: offer.monthlyPriceMicros,
          reference: `phone_number:${offer.e164}:${order.id}`,
        },
        tx,
      );
    } catch (error) {
      throw isMoneyShortage(error) ? new PaymentRequiredError(error) : error;
    }
  }
}

function numberOf({ e164, countryCode, region, smsCapable }: NumberOffer) {
  return { phoneNumber: e164, countryCode, region, smsCapable };
}
