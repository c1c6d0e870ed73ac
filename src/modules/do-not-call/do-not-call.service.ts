import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { PageOf } from '../../common/http/page.js';
import { toE164 } from '../../common/phone/e164.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { DoNotCallEntryNotFoundError } from './do-not-call.errors.js';
import { type DoNotCallPageRequest, DoNotCallRepository } from './do-not-call.repository.js';
import type { AddDoNotCallRequest } from './dto/do-not-call.request.js';
import { doNotCallTexts } from './do-not-call.texts.js';

/** Numbers an account never calls, for any purpose. */
@Injectable()
export class DoNotCallService {
  constructor(
    private readonly entries: DoNotCallRepository,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /** Newest first by default. The phone number may be written in any usual way; one that is none is on no list. */
  async list(
    userId: number,
    phoneNumber: string | undefined,
    page: DoNotCallPageRequest,
  ): Promise<PageOf<DoNotCallEntry>> {
    if (phoneNumber === undefined) return this.entries.page(userId, undefined, page);
    return this.entries.page(userId, (await this.toE164(userId, phoneNumber)) ?? phoneNumber, page);
  }

  /** Adding a number again succeeds. @throws ValidationFailedError when it is no phone number */
  async add(userId: number, request: AddDoNotCallRequest): Promise<DoNotCallEntry> {
    const phoneNumber = await this.toE164(userId, request.phone_number);
    if (phoneNumber === null)
      throw ValidationFailedError.of('phone_number', doNotCallTexts('do_not_call.phone_number'));
    const put = async (tx?: Tx) =>
      presentOf(await this.entries.put(userId, phoneNumber, request.reason ?? null, tx));
    if (!this.effect.isKeyed) return put();
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => put(tx),
        referenceOf: ({ id }) => String(id),
        recall: async (id) => presentOf(await this.entries.find(userId, Number(id), tx)),
      }),
    );
  }

  /** @throws DoNotCallEntryNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.entries.delete(userId, id))) throw new DoNotCallEntryNotFoundError();
  }

  /** Those of the numbers, in E.164, that must not be called. To be asked in the transaction that claims the calls. */
  listedAmong(userId: number, phoneNumbers: readonly string[], tx: Tx): Promise<Set<string>> {
    return this.entries.listedAmong(userId, phoneNumbers, tx);
  }

  private async toE164(userId: number, phoneNumber: string): Promise<string | null> {
    const { defaultCountry } = await this.accounts.get(userId);
    return toE164(phoneNumber, defaultCountry);
  }
}

function presentOf(entry: DoNotCallEntry | null): DoNotCallEntry {
  if (!entry) throw new DoNotCallEntryNotFoundError();
  return entry;
}
