import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { NumberNotOwnedError, type OwnedNumber } from '../../../providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../../providers/telephony/number-carriers.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { askCarrier, throwIfDenied } from './carrier-answers.js';
import {
  CarrierOrdersRepository,
  type OpenReturn,
  OrderTakenOverError,
} from './carrier-orders.repository.js';
import { NumberReturnsService } from './number-returns.service.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import {
  NoCarrierAccountError,
  NumberBoundElsewhereError,
  NumberInUseError,
  NumberNotAtCarrierError,
} from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import { readPhone } from '../phone-text.js';

const MOST_LISTED = 1_000;

/** A number of an account at the carrier, that may be taken over. */
export interface AdoptableNumber extends OwnedNumber {
  readonly countryCode: string;
}

/**
 * Takes over numbers that an account has rented at its carrier without us. The proof is that the carrier lists them
 * under the account's own credentials, so only accounts that have brought credentials can do it.
 *
 * As with a purchase, an order is written down before the carrier is asked. An order that fails routes the calls
 * back; the number stays where it is.
 */
@Injectable()
export class NumberAdoptionsService {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly carrierAccounts: CarrierAccountsService,
    private readonly numbers: PhoneNumbersRepository,
    private readonly orders: CarrierOrdersRepository,
    private readonly returns: NumberReturnsService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /**
   * Numbers at the carrier that no account here has, ordered by the carrier; none where the account has no
   * credentials there.
   *
   * @throws CarrierAccountDeniedError | UnavailableError
   */
  async list(userId: number, contains: string): Promise<readonly AdoptableNumber[]> {
    const carrierAccountId = await this.carrierAccounts.findIdFor(userId);
    if (carrierAccountId === null) return [];
    const owned = await askCarrier(carrierAccountId, () =>
      this.carriers.of(carrierAccountId).listOwned({ contains, limit: MOST_LISTED }),
    );
    const taken = new Set(await this.numbers.findTaken(owned.map(({ e164 }) => e164)));
    return owned.flatMap((number) => (taken.has(number.e164) ? [] : (adoptable(number) ?? [])));
  }

  /**
   * Takes a number over; one that the account has taken over before has its calls sent to us anew.
   *
   * @param reference its E.164, or the carrier's id of it
   * @throws NoCarrierAccountError | NumberNotAtCarrierError | NumberBoundElsewhereError | NumberInUseError
   * @throws CarrierAccountDeniedError | UnavailableError
   */
  async adopt(userId: number, reference: string): Promise<PhoneNumber> {
    const carrierAccountId = await this.carrierAccountOf(userId);
    const number = await this.ownedOf(carrierAccountId, reference);
    const known = await this.numbers.findRented(number.e164);
    if (known) return this.renew(userId, known, number);
    const order = { id: randomUUID(), userId, phoneNumber: number.e164, carrierAccountId };
    await this.transactions.run(async (tx) => {
      // Removed in the meantime.
      if (!(await this.carrierAccounts.hold(userId, carrierAccountId, tx))) throw new NoCarrierAccountError();
      if (!(await this.orders.open({ ...order, kind: 'adopt' }, tx))) throw new NumberInUseError();
      if (await this.numbers.isRented(number.e164, tx)) throw new NumberInUseError();
    });
    try {
      await this.carriers.of(carrierAccountId).adoptNumber(number);
      return await this.transactions.runWithVerifiedCommit(async (tx) => {
        if (!(await this.orders.close(order.id, 'adopt', tx))) throw new OrderTakenOverError();
        const { e164: phoneNumber, countryCode, smsCapable } = number;
        const adopted = {
          userId,
          type: 'normal',
          carrierAccountId,
          phoneNumber,
          countryCode,
          smsCapable,
        } as const;
        return this.numbers.add(adopted, tx);
      });
    } catch (error) {
      await this.undo({ ...order, kind: 'adopt' });
      throw toRejection(error, carrierAccountId);
    }
  }

  /** Never fails: what is not undone here, the sweep finds. What was committed after all is left alone. */
  private async undo(order: OpenReturn): Promise<void> {
    try {
      if (await this.orders.retake(order.id, order.kind)) await this.returns.giveBack(order);
    } catch (error) {
      this.logger.warn('a failed adoption is not undone yet', { err: error, orderId: order.id });
    }
  }

  /** @throws NumberInUseError where another account has it, or it was rented from the installation */
  private async renew(userId: number, known: PhoneNumber, number: OwnedNumber): Promise<PhoneNumber> {
    const { carrierAccountId } = known;
    if (known.userId !== userId || carrierAccountId === null) throw new NumberInUseError();
    try {
      await this.carriers.of(carrierAccountId).adoptNumber(number);
      return known;
    } catch (error) {
      throw toRejection(error, carrierAccountId);
    }
  }

  private async carrierAccountOf(userId: number): Promise<string> {
    const id = await this.carrierAccounts.findIdFor(userId);
    if (id === null) throw new NoCarrierAccountError();
    return id;
  }

  private async ownedOf(carrierAccountId: string, reference: string): Promise<AdoptableNumber> {
    const phone = readPhone(reference);
    const owned = await askCarrier(carrierAccountId, () =>
      this.carriers.of(carrierAccountId).findOwned(phone?.e164 ?? reference),
    );
    const number = owned && adoptable(owned);
    if (!number) throw new NumberNotAtCarrierError();
    if (number.isBound) throw new NumberBoundElsewhereError();
    return number;
  }
}

/** Null for what is no number of a country, such as a short code: nothing could be called from it. */
function adoptable(number: OwnedNumber): AdoptableNumber | null {
  const countryCode = readPhone(number.e164)?.countryCode ?? null;
  return countryCode === null ? null : { ...number, countryCode };
}

function toRejection(error: unknown, carrierAccountId: string): Error {
  if (error instanceof NumberNotOwnedError) return new NumberNotAtCarrierError({ cause: error });
  throwIfDenied(error, carrierAccountId);
  return new UnavailableError({ cause: error });
}
