import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import { NumberNotOfferedError } from '../../../providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../../providers/telephony/number-carriers.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import { NumberNotForSaleError, PhoneNumberNotFoundError } from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import { throwIfDenied } from './carrier-answers.js';
import { NumberOffersService } from './number-offers.service.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

/**
 * Rents numbers at the carrier. An order is stored before the carrier is asked. Without a good end of the order, the number
 * is given back and nothing is charged; the same holds when the process dies.
 *
 * An account with credentials of its own at a carrier rents with these, and pays that carrier itself: nothing is charged.
 */
@Injectable()
export class NumberPurchasesService {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly carrierAccounts: CarrierAccountsService,
    private readonly numbers: PhoneNumbersRepository,
    private readonly offers: NumberOffersService,
    private readonly orders: PurchaseOrdersService,
    private readonly effect: IdempotentEffectService,
  ) {}

  /**
   * Rents the number and charges its first month, where it is rented from the installation.
   *
   * @throws UnreadableNumberError | NumberNotForSaleError | NumberInUseError | PaymentRequiredError | UnavailableError
   * @throws CarrierAccountDeniedError
   */
  async purchase(userId: number, phoneNumber: string): Promise<PhoneNumber> {
    const bought = await this.effect.earlier();
    if (bought !== null) return this.getBought(userId, Number(bought));
    const carrierAccountId = await this.carrierAccounts.findIdFor(userId);
    const carrier = this.carriers.of(carrierAccountId);
    const offer = await this.offers.get(carrierAccountId, phoneNumber);
    const order = { id: randomUUID(), userId, phoneNumber: offer.e164, carrierAccountId };
    const holdId = await this.orders.open(order, offer);
    try {
      await carrier.buyNumber(offer.e164, order.id);
      return await this.orders.complete(order, offer, holdId);
    } catch (error) {
      await this.orders.undo(order, holdId, error);
      if (error instanceof NumberNotOfferedError) throw new NumberNotForSaleError({ cause: error });
      throwIfDenied(error, carrierAccountId);
      throw new UnavailableError({ cause: error });
    }
  }

  private async getBought(userId: number, id: number): Promise<PhoneNumber> {
    return (await this.numbers.find(userId, id)) ?? PhoneNumberNotFoundError.throw();
  }
}
