import { Injectable } from '@nestjs/common';
import { LinkSigner } from '../../common/crypto/link-signer.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { toE164 } from '../../common/phone/e164.js';
import { Transactions } from '../../database/transactions.js';
import { JobsService } from '../../queues/jobs.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { EraseRequest } from './dto/privacy.request.js';
import type { Erasure } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasureNotFoundError, OwnNumberError } from './privacy.errors.js';
import { sweepErasuresJob } from './sweep-erasures.job.js';
import { phoneNumberPlace } from './sealed-number.js';

@Injectable()
export class ErasuresService {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly accounts: AccountsService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly signer: LinkSigner,
    private readonly box: SecretBox,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Begins to erase what the account holds about a number; while it is being erased already, says how far that is.
   *
   * @throws ValidationFailedError | OwnNumberError
   */
  async begin(userId: number, request: EraseRequest): Promise<Erasure> {
    const phoneNumber = await this.numberOf(userId, request.phone_number);
    const subject = this.signer.sign(`erasure:${userId}:${phoneNumber}`);
    const id = await this.transactions.run(async (tx) => {
      if (await this.phoneNumbers.owns(userId, phoneNumber, tx)) throw new OwnNumberError();
      const { keep_do_not_call: keepDoNotCall = false, keep_documents: keepDocuments = false } = request;
      const added = await this.erasures.add({ userId, subject, keepDoNotCall, keepDocuments }, tx);
      if (added === null) return null;
      await this.erasures.seal(
        userId,
        added,
        this.box.seal(phoneNumber, phoneNumberPlace(userId, added)),
        tx,
      );
      return added;
    });
    const erasure =
      id === null ? await this.erasures.findUnderWay(userId, subject) : await this.erasures.find(userId, id);
    // The one under way has ended in between: it is as if the request had come a moment later.
    if (!erasure) return this.begin(userId, request);
    this.jobs.wake(sweepErasuresJob, {});
    return erasure;
  }

  /** @throws ErasureNotFoundError */
  async get(userId: number, id: number): Promise<Erasure> {
    return (await this.erasures.find(userId, id)) ?? ErasureNotFoundError.throw();
  }

  /** In E.164. @throws ValidationFailedError when it is no phone number */
  async numberOf(userId: number, written: string): Promise<string> {
    const { defaultCountry } = await this.accounts.get(userId);
    const phoneNumber = toE164(written, defaultCountry);
    if (phoneNumber === null) throw ValidationFailedError.of('phone_number', 'privacy.phone_number');
    return phoneNumber;
  }
}
