import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnavailableError, ValidationFailedError } from '../../../common/errors/errors.js';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import {
  CarrierAccountRefusedError,
  NumberNotOfferedError,
  type NumberOffer,
} from '../../../providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../../providers/telephony/number-carriers.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { isMoneyShortage } from '../../billing/billing.errors.js';
import { BillingService } from '../../billing/billing.service.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import type { CarrierOrder } from './carrier-order.entity.js';
import { askCarrier, throwIfDenied } from './carrier-answers.js';
import {
  CarrierOrdersRepository,
  type OpenReturn,
  type OrderAtCarrier,
  OrderTakenOverError,
} from './carrier-orders.repository.js';
import type { SearchNumbersQuery } from '../dto/phone-number.request.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import {
  NumberInUseError,
  NumberNotForSaleError,
  PaymentRequiredError,
  PhoneNumberNotFoundError,
  UnreadableNumberError,
} from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import { readPhone } from '../phone-text.js';

const SEARCH_RESULTS = 30;
const SEARCH_GROWTH = 4;
/** Longer than a carrier may take for its answer, and not shorter than what billing takes for a stale hold. */
const STALE_ORDER_MS = 180_000;

/**
 * Rents numbers at the carrier and gives them back. An order is written down before the carrier is asked; whatever
 * it does not end well with, a dead process included, ends with the number given back and nothing charged.
 *
 * An account with credentials of its own at a carrier rents with these, and pays that carrier itself: nothing is charged. Its
 * numbers are given back with the credentials they were rented with.
 */
@Injectable()
export class NumberRentalsService {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly carrierAccounts: CarrierAccountsService,
    private readonly numbers: PhoneNumbersRepository,
    private readonly orders: CarrierOrdersRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
    private readonly logger: Logger,
  ) {}

  /** Numbers nobody rents, in the account's own country where none is named. */
  async search(userId: number, query: SearchNumbersQuery): Promise<readonly NumberOffer[]> {
    const countryCode = query.country_code ?? (await this.accounts.get(userId)).defaultCountry;
    const carrierAccountId = await this.carrierAccounts.findIdFor(userId);
    const carrier = this.carriers.of(carrierAccountId);
    if (!carrier.countries.includes(countryCode)) {
      const values = [...carrier.countries].sort().join(', ');
      throw ValidationFailedError.of('country_code', 'validation.one_of', { values });
    }
    // A carrier may list what is rented already: then more is asked for, until enough is free or there is no more.
    for (let limit = SEARCH_RESULTS; ; limit *= SEARCH_GROWTH) {
      const offers = await askCarrier(carrierAccountId, () =>
        carrier.searchNumbers({ countryCode, contains: query.contains ?? '', limit }),
      );
      const taken = new Set(await this.numbers.findTaken(offers.map(({ e164 }) => e164)));
      const free = offers.filter(({ e164 }) => !taken.has(e164));
      if (free.length >= SEARCH_RESULTS || offers.length < limit) return free.slice(0, SEARCH_RESULTS);
    }
  }

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
    const offer = await this.offerOf(carrierAccountId, phoneNumber);
    const order = { id: randomUUID(), userId, phoneNumber: offer.e164, carrierAccountId };
    const holdId = await this.transactions.run((tx) => this.place(order, offer, tx));
    try {
      await carrier.buyNumber(offer.e164, order.id);
      return await this.transactions.runWithVerifiedCommit(async (tx) => {
        if (!(await this.orders.close(order.id, 'buy', tx))) throw new OrderTakenOverError();
        if (holdId !== null) await this.billing.capture(holdId, tx);
        const rented = { userId, type: 'normal', carrierAccountId, ...numberOf(offer) } as const;
        const number = await this.numbers.add(rented, tx);
        if (carrierAccountId === null) await this.numbers.beginRent(number.id, offer.monthlyPriceMicros, tx);
        await this.effect.extend(tx, String(number.id));
        return number;
      });
    } catch (error) {
      await this.undo(order, holdId, error);
      if (error instanceof NumberNotOfferedError) throw new NumberNotForSaleError({ cause: error });
      throwIfDenied(error, carrierAccountId);
      throw new UnavailableError({ cause: error });
    }
  }

  /** Takes a rented number from its owner at once and gives it back to the carrier. @throws PhoneNumberNotFoundError */
  release(number: PhoneNumber): Promise<void> {
    return this.take(number, 'release');
  }

  /**
   * The same of an account that goes: a number that was rented with credentials of its own stays with whoever has that account
   * at the carrier, and its calls come here no more. @throws PhoneNumberNotFoundError
   */
  part(number: PhoneNumber): Promise<void> {
    return this.take(number, number.carrierAccountId === null ? 'release' : 'adopt');
  }

  private async take(
    { userId, id, phoneNumber, carrierAccountId }: PhoneNumber,
    kind: OpenReturn['kind'],
  ): Promise<void> {
    const order = { id: randomUUID(), userId, phoneNumber, carrierAccountId, kind };
    await this.transactions.run(async (tx) => {
      if (!(await this.numbers.delete(userId, id, tx))) throw new PhoneNumberNotFoundError();
      if (!(await this.orders.open(order, tx))) throw new Error('a rented number has an open order');
    });
    await this.giveBack(order);
  }

  /** Gives back the numbers of orders whose process died or whose carrier did not answer. Returns how many. */
  async sweepStaleOrders(): Promise<number> {
    for (let count = 0; ; count++) {
      const order = await this.orders.claimStale(STALE_ORDER_MS);
      if (!order) return count;
      await this.giveBack(order);
    }
  }

  /** How many numbers of the account are being bought or given back. */
  countOrders(userId: number): Promise<number> {
    return this.orders.countOf(userId);
  }

  /** Asks no more for what is under way with credentials of the account's own: the numbers stay as they are there. */
  async abandonOwn(userId: number): Promise<void> {
    for (const { id, phoneNumber: _, ...rest } of await this.orders.deleteOwn(userId))
      this.logger.error("a number stays as it is at the account's own carrier", { orderId: id, ...rest });
  }

  /**
   * Gives the number of an order back, or lets go of its calls. Never fails: the order is committed, and what does not come to
   * its end now is taken up by the sweep.
   */
  async giveBack(order: OpenReturn): Promise<void> {
    try {
      await this.returnAt(order);
      await this.orders.close(order.id, order.kind);
    } catch (error) {
      this.logger.warn('a number could not be given back yet', { err: error, orderId: order.id });
    }
  }

  private async getBought(userId: number, id: number): Promise<PhoneNumber> {
    const number = await this.numbers.find(userId, id);
    if (!number) throw new PhoneNumberNotFoundError();
    return number;
  }

  private async offerOf(carrierAccountId: string | null, phoneNumber: string): Promise<NumberOffer> {
    const carrier = this.carriers.of(carrierAccountId);
    const phone = readPhone(phoneNumber);
    if (!phone) throw new UnreadableNumberError();
    const { e164, countryCode } = phone;
    if (countryCode === null || !carrier.countries.includes(countryCode)) throw new NumberNotForSaleError();
    const offers = await askCarrier(carrierAccountId, () =>
      carrier.searchNumbers({ countryCode, contains: e164.slice(1), limit: 1 }),
    );
    const offer = offers.find((candidate) => candidate.e164 === e164);
    if (!offer) throw new NumberNotForSaleError();
    return offer;
  }

  /**
   * Opens the order, then looks for a tenant: who rented meanwhile has closed an order of the same number before.
   *
   * @returns the hold of its price; null where the account pays the carrier itself
   */
  private async place(
    order: Omit<CarrierOrder, 'kind' | 'attemptedAt'>,
    offer: NumberOffer,
    tx: Tx,
  ): Promise<string | null> {
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

  /** Never fails: what is not undone here, the sweep finds. */
  private async undo(order: OrderAtCarrier, holdId: string | null, cause: unknown): Promise<void> {
    try {
      if (holdId !== null) await this.billing.void(holdId);
      if (cause instanceof NumberNotOfferedError) await this.orders.close(order.id, 'buy');
      else if (await this.orders.abandon(order.id)) await this.giveBack({ ...order, kind: 'release' });
    } catch (error) {
      this.logger.warn('a failed purchase is not undone yet', { err: error, orderId: order.id });
    }
  }

  private async returnAt({ kind, carrierAccountId, phoneNumber, id }: OpenReturn): Promise<void> {
    const carrier = this.carriers.of(carrierAccountId);
    try {
      await (kind === 'adopt' ? carrier.letGo(phoneNumber) : carrier.releaseNumber(phoneNumber));
    } catch (error) {
      if (carrierAccountId === null || !(error instanceof CarrierAccountRefusedError)) throw error;
      // Whoever owns the account there pays for it, sees it there, and has locked us out: nobody else can give it back.
      this.logger.warn('a number stays with the account at the carrier', { err: error, orderId: id });
    }
  }
}

function numberOf({ e164, countryCode, region, smsCapable }: NumberOffer) {
  return { phoneNumber: e164, countryCode, region, smsCapable };
}
