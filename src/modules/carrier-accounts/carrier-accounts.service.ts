import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { HIDDEN } from '../../common/text/masked.js';
import { TelephonyConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { type OwnTwilioAccount, TwilioAccounts } from '../../providers/telephony/twilio/twilio-accounts.js';
import {
  checkTwilioAccount,
  type TwilioAccountCheck,
} from '../../providers/telephony/twilio/twilio-check.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { CarrierAccount } from './carrier-account.entity.js';
import {
  CarrierAccountInUseError,
  CarrierAccountNotFoundError,
  CarrierAccountsUnavailableError,
} from './carrier-accounts.errors.js';
import { CarrierAccountsRepository } from './carrier-accounts.repository.js';
import type { PutTwilioAccountRequest } from './dto/twilio-account.request.js';

const TWILIO = 'twilio';
/**
 * Twilio signs with the primary token. An account that changes tokens without an interruption makes a secondary one,
 * gives it to us, and only then makes it the primary one. Until then, and for callbacks under way, the old one signs.
 */
const OLD_TOKEN_SIGNS_MS = 3_600_000;

/** The credentials that accounts have brought for carriers, sealed. What numbers and calls are asked for with them. */
@Injectable()
export class CarrierAccountsService implements OnModuleInit {
  constructor(
    private readonly repository: CarrierAccountsRepository,
    private readonly accounts: AccountsService,
    private readonly secrets: SecretBox,
    private readonly twilio: TwilioAccounts,
    private readonly telephony: TelephonyConfig,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.twilio.readOwnFrom(this);
  }

  /** Null where the account has stored none. */
  findTwilioOf(userId: number): Promise<CarrierAccount | null> {
    return this.repository.find(userId, TWILIO);
  }

  /** @throws CarrierAccountNotFoundError */
  private async getTwilio(userId: number): Promise<CarrierAccount> {
    return (await this.repository.find(userId, TWILIO)) ?? CarrierAccountNotFoundError.throw();
  }

  /**
   * Stores credentials for Twilio without checking them. Another token replaces the old one at once, but callbacks
   * may be signed with the old one for an hour more. Another account at Twilio takes the place of the old one only
   * where no number was rented with that.
   *
   * @throws CarrierAccountsUnavailableError | CarrierAccountInUseError
   * @throws ValidationFailedError without a token, where none is kept for the account
   */
  async putTwilio(userId: number, request: PutTwilioAccountRequest): Promise<CarrierAccount> {
    if (!this.telephony.twilio) throw new CarrierAccountsUnavailableError();
    await this.transactions.run(async (tx) => {
      // Without a row there is nothing else to lock: two requests would both insert one.
      await this.accounts.lockLimits(userId, tx);
      const kept = await this.repository.findLocked(userId, TWILIO, tx);
      if (kept?.accountSid === request.account_sid) return this.change(kept, request, tx);
      const token = sentToken(request);
      if (token === undefined) throw ValidationFailedError.of('auth_token', 'validation.required');
      if (kept && !(await this.repository.delete(userId, kept.id, tx))) throw new CarrierAccountInUseError();
      await this.add(userId, token, request, tx);
    });
    return this.getTwilio(userId);
  }

  /** @throws CarrierAccountNotFoundError | CarrierAccountInUseError */
  async deleteTwilio(userId: number): Promise<void> {
    const { id } = await this.getTwilio(userId);
    if (!(await this.repository.delete(userId, id))) throw new CarrierAccountInUseError();
  }

  /** Asks Twilio whether the kept credentials are right. @throws CarrierAccountNotFoundError */
  async testTwilio(userId: number): Promise<TwilioAccountCheck> {
    const { id } = await this.getTwilio(userId);
    return checkTwilioAccount(() => this.twilio.apiOf(id));
  }

  /** Id of what an account rents its numbers with; null where that is the installation's. */
  async findIdFor(userId: number): Promise<string | null> {
    return (await this.repository.find(userId, TWILIO))?.id ?? null;
  }

  /** Whether it is there, and stays until the transaction ends. */
  hold(userId: number, id: string, tx: Tx): Promise<boolean> {
    return this.repository.hold(userId, id, tx);
  }

  /** See OwnTwilioAccounts: of any account. */
  async findTwilio(id: string): Promise<OwnTwilioAccount | null> {
    const account = await this.repository.findById(id);
    if (!account) return null;
    const { accountSid, sealedAuthToken, sealedPreviousAuthToken, previousExpiresAt } = account;
    const isOldTaken = previousExpiresAt !== null && previousExpiresAt.getTime() > Date.now();
    const authToken = this.secrets.open(sealedAuthToken, place(account));
    const old = isOldTaken && sealedPreviousAuthToken ? [sealedPreviousAuthToken] : [];
    const signingTokens = [authToken, ...old.map((sealed) => this.secrets.open(sealed, place(account)))];
    return { accountSid, authToken, signingTokens };
  }

  private async add(
    userId: number,
    token: string,
    { account_sid: accountSid, label = null }: PutTwilioAccountRequest,
    tx: Tx,
  ): Promise<void> {
    const id = randomUUID();
    const sealedAuthToken = this.secrets.seal(token, place({ id, userId }));
    await this.repository.insert({ id, userId, carrier: TWILIO, accountSid, label, sealedAuthToken }, tx);
  }

  private async change(kept: CarrierAccount, request: PutTwilioAccountRequest, tx: Tx): Promise<void> {
    const { label = kept.label } = request;
    const token = sentToken(request);
    const { id, sealedAuthToken, sealedPreviousAuthToken, previousExpiresAt } = kept;
    // The same one again is no other, and leaves the one before its time.
    const isOther = token !== undefined && this.secrets.open(sealedAuthToken, place(kept)) !== token;
    const changes = isOther
      ? {
          sealedAuthToken: this.secrets.seal(token, place(kept)),
          sealedPreviousAuthToken: sealedAuthToken,
          previousExpiresAt: new Date(Date.now() + OLD_TOKEN_SIGNS_MS),
        }
      : { sealedAuthToken, sealedPreviousAuthToken, previousExpiresAt };
    await this.repository.update(id, { label, ...changes }, tx);
  }
}

/** What was read can be sent back, and changes nothing. */
function sentToken({ auth_token: token }: PutTwilioAccountRequest): string | undefined {
  return token === HIDDEN ? undefined : token;
}

function place({ id, userId }: Pick<CarrierAccount, 'id' | 'userId'>): SecretPlace {
  return { userId, column: 'carrier_accounts.auth_token', rowId: id };
}
