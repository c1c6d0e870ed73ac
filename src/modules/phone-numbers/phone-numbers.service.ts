import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { UpdatePhoneNumberRequest } from './dto/phone-number.request.js';
import { nicknameOf } from './nickname.js';
import { NumberReturnsService } from './carrier-numbers/number-returns.service.js';
import type { PhoneNumber } from './phone-number.entity.js';
import { PhoneNumberNotFoundError } from './phone-numbers.errors.js';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';
import { SipTrunksRepository } from './sip-trunks.repository.js';

/** A number whose owner was reached by a call. */
interface ProvenNumber {
  /** E.164. */
  readonly phoneNumber: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly carrier: string;
}

@Injectable()
export class PhoneNumbersService {
  constructor(
    private readonly numbers: PhoneNumbersRepository,
    private readonly trunks: SipTrunksRepository,
    private readonly returns: NumberReturnsService,
    private readonly transactions: Transactions,
    private readonly live: LiveEventsService,
  ) {}

  /** A number the caller owns. */
  find(userId: number, id: number, tx?: Tx): Promise<PhoneNumber | null> {
    return this.numbers.find(userId, id, tx);
  }

  /** A number of the account, locked until the transaction ends. */
  lock(userId: number, id: number, tx: Tx): Promise<PhoneNumber | null> {
    return this.numbers.findLocked(userId, id, tx);
  }

  /** A number that the operator has named, of any account. */
  findNamed(id: number): Promise<PhoneNumber | null> {
    return this.numbers.findNamed(id);
  }

  /** Those of the numbers that the account owns, by their ids. */
  async findOwned(userId: number, ids: readonly number[], tx: Tx): Promise<ReadonlyMap<number, PhoneNumber>> {
    const found = await this.numbers.findOwned(userId, [...new Set(ids)], tx);
    return new Map(found.map((number) => [number.id, number]));
  }

  /** Whether a number (E.164) is one of the account's own. */
  owns(userId: number, phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.numbers.owns(userId, phoneNumber, tx);
  }

  /** The numbers that a call from outside to `phoneNumber` may mean; the rented one, of which there is one, first. */
  findDialled(phoneNumber: string): Promise<PhoneNumber[]> {
    return this.numbers.findDialled(phoneNumber);
  }

  /** How many calls at the same time go by the trunks of those of the numbers that have such a limit, by the number's id. */
  findCallLimits(userId: number, ids: readonly number[], tx: Tx): Promise<ReadonlyMap<number, number>> {
    return this.trunks.findCallLimits(userId, ids, tx);
  }

  /** The numbers the caller owns, oldest first. */
  listOwned(userId: number): Promise<PhoneNumber[]> {
    return this.numbers.listOf(userId);
  }

  /** The numbers the caller owns and those granted to the caller, oldest first. */
  listVisible(userId: number): Promise<PhoneNumber[]> {
    return this.numbers.listVisible(userId);
  }

  /** Those of the visible numbers that are rented and can send text messages. */
  listSmsCapable(userId: number): Promise<PhoneNumber[]> {
    return this.numbers.listVisibleSmsCapable(userId);
  }

  /**
   * Takes note that the account has proven a number: those it has connected, and where it has none, as a new one that can be
   * shown to those who are called. To be called under the lock of the account's limits.
   *
   * @param carrier by which the number was called
   */
  async verify(
    userId: number,
    { phoneNumber, countryCode, carrier }: ProvenNumber,
    tx: Tx,
  ): Promise<PhoneNumber> {
    const known = await this.numbers.markVerified(userId, phoneNumber, carrier, tx);
    if (known[0]) return known[0];
    const added = { userId, phoneNumber, countryCode, type: 'caller_id', verifiedAt: new Date() } as const;
    return this.numbers.add({ ...added, verifiedBy: carrier }, tx);
  }

  /** To be called after the commit of {@link verify}: calls in may belong to another account by now. */
  verified(): void {
    this.live.publish('sip-trunks', 'resync');
  }

  /** Changes the nickname when one is sent. @throws PhoneNumberNotFoundError */
  update(userId: number, id: number, request: UpdatePhoneNumberRequest): Promise<PhoneNumber> {
    return this.transactions.run(async (tx) => {
      const number = (await this.numbers.findLocked(userId, id, tx)) ?? PhoneNumberNotFoundError.throw();
      if (request.nickname !== undefined) number.nickname = nicknameOf(request.nickname);
      return this.numbers.save(number, tx);
    });
  }

  /** Deletes the number at once; a rented one goes back to the carrier. @throws PhoneNumberNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    const number = (await this.numbers.find(userId, id)) ?? PhoneNumberNotFoundError.throw();
    if (number.type === 'normal') await this.returns.release(number);
    else await this.deleteUnrented(number);
  }

  /**
   * Deletes all numbers of an account that goes. Those that it rents with credentials of its own at a carrier are not ours to
   * give back: only that their calls come here is undone. Returns how many of both are still under way.
   */
  async deleteAll(userId: number): Promise<number> {
    for (const number of await this.numbers.listOf(userId)) {
      if (number.type === 'normal') await this.returns.releaseForDeletedAccount(number);
      else await this.deleteUnrented(number);
    }
    return this.returns.countOrders(userId);
  }

  /** Gives up what is under way with the account's own credentials. Returns how many orders of the installation are left. */
  async abandonOwn(userId: number): Promise<number> {
    await this.returns.abandonOwn(userId);
    return this.returns.countOrders(userId);
  }

  /** Lets another account see the number and its nickname. @throws PhoneNumberNotFoundError */
  async grant(userId: number, id: number, granteeId: number): Promise<void> {
    if (!(await this.numbers.grant(userId, id, granteeId))) throw new PhoneNumberNotFoundError();
  }

  /** @throws PhoneNumberNotFoundError */
  async revoke(userId: number, id: number, granteeId: number): Promise<void> {
    if (!(await this.numbers.revoke(userId, id, granteeId))) throw new PhoneNumberNotFoundError();
  }

  private async deleteUnrented({ userId, id, type }: PhoneNumber): Promise<void> {
    if (!(await this.numbers.delete(userId, id))) throw new PhoneNumberNotFoundError();
    if (type === 'sip') this.live.publish('sip-trunks', 'resync');
  }
}
