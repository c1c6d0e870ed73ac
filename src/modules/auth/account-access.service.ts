import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/auth/principal.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { MembersService } from '../accounts/members/members.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { PasswordLinksService } from './password-links/password-links.service.js';
import { LoginBackoffService } from './passwords/login-backoff.service.js';
import { SessionsService } from './sessions/sessions.service.js';

/** Everything by which people and programs get into an account. */
@Injectable()
export class AccountAccessService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly keys: ApiKeysService,
    private readonly sessions: SessionsService,
    private readonly links: PasswordLinksService,
    private readonly backoff: LoginBackoffService,
  ) {}

  /**
   * Makes sure that the caller is who they say, by the password: a member’s own, else that of the account. An account
   * that can use keys only has none to give.
   *
   * @throws ValidationFailedError on `password`
   * @throws TooManyRequestsError after too many wrong ones
   */
  async confirm(caller: Principal, password: string): Promise<void> {
    const { userId, memberId } = caller;
    await this.backoff.admitPasswordCheck(caller);
    const isRight =
      memberId === undefined
        ? await this.accounts.isPasswordOf(userId, password)
        : await this.members.isPasswordOf(await this.members.get(userId, memberId), password);
    if (!isRight) throw ValidationFailedError.of('password', 'auth.wrong_password');
    await this.backoff.passwordCheckSucceeded(caller);
  }

  /** Ends every key, session and membership, and removes the account's name: all access ends. */
  async end(userId: number, tx: Tx): Promise<void> {
    await this.accounts.anonymise(userId, tx);
    await this.sessions.endAllOf(userId, tx);
    await this.members.removeAll(userId, tx);
    await this.links.endAll(userId, tx);
    await this.keys.deleteAll(userId, tx);
    await this.backoff.forgetAddresses(userId, tx);
  }
}
