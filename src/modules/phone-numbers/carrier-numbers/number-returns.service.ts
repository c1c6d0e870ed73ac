import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { CarrierAccountRefusedError } from '../../../providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../../providers/telephony/number-carriers.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PhoneNumber } from '../phone-number.entity.js';
import { PhoneNumberNotFoundError } from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import { CarrierOrdersRepository, type OpenReturn } from './carrier-orders.repository.js';
import { sweepCarrierOrdersJob } from './sweep-carrier-orders.job.js';

/** Longer than a carrier may take for its answer, and not shorter than what billing takes for a stale hold. */
const STALE_ORDER_MS = 180_000;

/** Gives rented numbers back to the carrier, with the credentials with which they were rented. */
@Injectable()
export class NumberReturnsService {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly numbers: PhoneNumbersRepository,
    private readonly orders: CarrierOrdersRepository,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Takes a rented number from its owner at once and gives it back to the carrier. @throws PhoneNumberNotFoundError */
  release(number: PhoneNumber): Promise<void> {
    return this.returnNumber(number, 'release');
  }

  /**
   * As `release`, for an account that is deleted. A number that was rented with credentials of the account's own stays with
   * that account at the carrier; its calls come here no more.
   *
   * @throws PhoneNumberNotFoundError
   */
  releaseForDeletedAccount(number: PhoneNumber): Promise<void> {
    return this.returnNumber(number, number.carrierAccountId === null ? 'release' : 'adopt');
  }

  /** Gives back the numbers of orders whose process died or whose carrier did not answer. Returns how many. */
  @Handles(sweepCarrierOrdersJob)
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

  /** Ends the orders with credentials of the account's own: their numbers stay as they are at the carrier. */
  async abandonOwn(userId: number): Promise<void> {
    for (const { id, phoneNumber: _, ...rest } of await this.orders.deleteOwn(userId))
      this.logger.error("a number stays as it is at the account's own carrier", { orderId: id, ...rest });
  }

  /**
   * Gives the number of an order back, or no longer takes its calls. Never fails: the order is committed, and the sweep repeats
   * what fails now.
   */
  async giveBack(order: OpenReturn): Promise<void> {
    try {
      await this.returnAt(order);
      await this.orders.close(order.id, order.kind);
    } catch (error) {
      this.logger.warn('a number could not be given back yet', { err: error, orderId: order.id });
    }
  }

  private async returnNumber(
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

  private async returnAt({ kind, carrierAccountId, phoneNumber, id }: OpenReturn): Promise<void> {
    const carrier = this.carriers.of(carrierAccountId);
    try {
      await (kind === 'adopt' ? carrier.detach(phoneNumber) : carrier.releaseNumber(phoneNumber));
    } catch (error) {
      if (carrierAccountId === null || !(error instanceof CarrierAccountRefusedError)) throw error;
      // The credentials are refused. Only the owner of the account there, who sees and pays the number, can give it back.
      this.logger.warn('a number stays with the account at the carrier', { err: error, orderId: id });
    }
  }
}
