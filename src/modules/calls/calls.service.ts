import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import type { Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CallListRepository } from './call-list.repository.js';
import type { CallFilter, ListedCall } from './call-list.statements.js';
import { type CallMove, isAllowed } from './call-states.js';
import type { Call } from './call.entity.js';
import { CallNotFoundError, CallStillRunningError, IllegalCallMoveError } from './calls.errors.js';
import { type CallFacts, CallsRepository, type NewCall } from './calls.repository.js';
import { isInternational, toStoredNumber } from './customer-number.js';

/** `campaignId` and `campaignName` go together: both, or none of them. */
export type CallDetails = Omit<NewCall, 'userId'>;

@Injectable()
export class CallsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly lists: CallListRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** One page, newest first. The phone number may be written in any usual way. */
  async list(userId: number, filter: CallFilter, page: PageRequest): Promise<PageOf<ListedCall>> {
    const { phoneNumber } = filter;
    if (phoneNumber === undefined) return this.lists.page(userId, filter, page);
    const stored = await this.toStored(userId, phoneNumber);
    return this.lists.page(userId, { ...filter, phoneNumber: stored }, page);
  }

  /** @throws CallNotFoundError */
  async get(userId: number, id: number): Promise<Call> {
    const call = await this.calls.find(userId, id);
    if (!call) throw new CallNotFoundError();
    return call;
  }

  /**
   * Deletes a call for good, with its transcript and all that is known of it.
   *
   * @throws CallNotFoundError | CallStillRunningError
   */
  async delete(userId: number, id: number): Promise<void> {
    if (await this.calls.delete(userId, id)) return;
    await this.get(userId, id);
    throw new CallStillRunningError();
  }

  /** Records a new call, as `initiated`. */
  open(userId: number, call: CallDetails, tx?: Tx): Promise<Call> {
    return this.calls.add({ ...call, userId }, tx);
  }

  /**
   * Moves a call on and records what is known with it. False when the call is not (or not any more) in the state the
   * move begins with: then another was faster, and nothing is changed.
   *
   * @throws IllegalCallMoveError when no call may move so
   */
  async move(userId: number, id: number, move: CallMove, facts: CallFacts = {}, tx?: Tx): Promise<boolean> {
    if (!isAllowed(move)) throw new IllegalCallMoveError(move);
    return this.calls.transition(userId, id, move, facts, tx);
  }

  private async toStored(userId: number, phoneNumber: string): Promise<string> {
    if (isInternational(phoneNumber)) return toStoredNumber(phoneNumber);
    const { defaultCountry } = await this.accounts.get(userId);
    return toStoredNumber(phoneNumber, defaultCountry);
  }
}
