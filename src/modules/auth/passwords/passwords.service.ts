import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { Transactions } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { LoginBackoffService } from './login-backoff.service.js';
import { checkNewPassword } from './password-rules.js';
import { randomPassword } from './random-password.js';
import { SessionsService } from '../sessions/sessions.service.js';

@Injectable()
export class PasswordsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
    private readonly backoff: LoginBackoffService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Replaces the caller's password and ends all other sessions, so that whoever knew the old one is out. API keys stay.
   *
   * @throws ValidationFailedError when the current password is wrong, or the new one is easily guessed
   * @throws TooManyRequestsError after too many wrong ones
   */
  async change(caller: Principal, current: string, next: string): Promise<void> {
    const { userId, memberId } = caller;
    const member = memberId === undefined ? null : await this.members.get(userId, memberId);
    checkNewPassword(next, (member ?? (await this.accounts.get(userId))).email);
    await this.backoff.admitPasswordCheck(userId);
    const replacement = member
      ? await this.members.prepareNewPassword(member, current, next)
      : await this.accounts.prepareNewPassword(userId, current, next);
    const isReplaced =
      replacement !== null &&
      (await this.transactions.run(async (tx) => {
        const people = member ? this.members : this.accounts;
        if (!(await people.replacePassword(replacement, tx))) return false;
        await this.sessions.endOthers(caller, tx);
        await this.backoff.forgetAddresses(userId, tx);
        return true;
      }));
    if (!isReplaced) throw ValidationFailedError.of('current_password', 'auth.wrong_password');
    await this.backoff.passwordCheckSucceeded(userId);
  }
  /**
   * Gives an account a password without asking for the old one, as its operator, and ends all of its sessions. API keys
   * stay.
   *
   * @param password a random one where none is given
   * @returns the password
   */
  async reset(userId: number, password = randomPassword()): Promise<string> {
    const hash = await this.accounts.hashNewPassword(password);
    await this.transactions.run(async (tx) => {
      await this.accounts.setPassword(userId, hash, tx);
      await this.sessions.endAll(userId, tx);
      await this.backoff.forgetAddresses(userId, tx);
    });
    return password;
  }
}
