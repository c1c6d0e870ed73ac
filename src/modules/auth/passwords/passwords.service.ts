import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { type Account, AccountsService } from '../../accounts/accounts.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { PasswordLinkNotFoundError } from '../auth.errors.js';
import type { PasswordLink } from '../password-links/password-link.entity.js';
import { PasswordLinksService } from '../password-links/password-links.service.js';
import type { SessionHolder } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { LoginBackoffService } from './login-backoff.service.js';
import { checkNewPassword } from './password-rules.js';
import { randomPassword } from './random-password.js';

/** A reset by a link that has been worked out and not been made. */
export interface PreparedReset {
  readonly link: PasswordLink;
  readonly account: Pick<Account, 'id' | 'name' | 'email'>;
  readonly hash: string;
}

@Injectable()
export class PasswordsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
    private readonly links: PasswordLinksService,
    private readonly backoff: LoginBackoffService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Replaces the caller's password and ends all other sessions, which the old password may have started. API keys
   * stay.
   *
   * @throws ValidationFailedError when the current password is wrong, or the new one is easily guessed
   * @throws TooManyRequestsError after too many wrong ones
   */
  async change(caller: Principal, current: string, next: string): Promise<void> {
    const { userId, memberId } = caller;
    const member = memberId === undefined ? null : await this.members.get(userId, memberId);
    checkNewPassword(next, (member ?? (await this.accounts.get(userId))).email);
    await this.backoff.admitPasswordCheck(caller);
    const replacement = member
      ? await this.members.prepareNewPassword(member, current, next)
      : await this.accounts.prepareNewPassword(userId, current, next);
    const isReplaced =
      replacement !== null &&
      (await this.transactions.run(async (tx) => {
        const people = member ? this.members : this.accounts;
        if (!(await people.replacePassword(replacement, tx))) return false;
        await this.sessions.endOthers(caller, tx);
        await this.links.voidOf({ userId, memberId: memberId ?? null }, tx);
        await this.backoff.forgetAddresses(userId, tx);
        return true;
      }));
    if (!isReplaced) throw ValidationFailedError.of('current_password', 'auth.wrong_password');
    await this.backoff.passwordCheckSucceeded(caller);
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
      await this.endAccessBefore({ userId, memberId: null }, tx);
    });
    return password;
  }

  /**
   * Works a reset by a link out, which takes long, ahead of the transaction.
   *
   * @throws PasswordLinkNotFoundError
   * @throws ValidationFailedError when the new password is easily guessed
   */
  async prepareReset(token: string, password: string): Promise<PreparedReset> {
    const link = await this.links.linkOf(token);
    const { userId, memberId } = link;
    const person =
      memberId === null ? await this.accounts.find(userId) : await this.members.find(userId, memberId);
    if (!person) throw new PasswordLinkNotFoundError();
    const { name, email } = person;
    checkNewPassword(password, email);
    return {
      link,
      account: { id: userId, name, email },
      hash: await this.accounts.hashNewPassword(password),
    };
  }

  /** A link by which a person signs in once. @throws PasswordLinkNotFoundError */
  signInLinkOf(token: string): Promise<PasswordLink> {
    return this.links.linkOf(token, 'sign-in');
  }

  /** Uses a link, once. @throws PasswordLinkNotFoundError */
  takeLink(link: PasswordLink, tx: Tx): Promise<void> {
    return this.links.take(link, tx);
  }

  /**
   * Makes a reset: sets the password and ends all sessions of the person.
   *
   * @throws PasswordLinkNotFoundError when the link was used or the member removed since
   */
  async completeReset({ link, hash }: PreparedReset, tx: Tx): Promise<void> {
    const { userId, memberId } = link;
    if (memberId === null) await this.accounts.setPassword(userId, hash, tx);
    else if (!(await this.members.setPassword(userId, memberId, hash, tx)))
      throw new PasswordLinkNotFoundError();
    await this.links.take(link, tx);
    await this.endAccessBefore(link, tx);
  }

  /** Ends access that was gained with the old password. */
  private async endAccessBefore(person: SessionHolder, tx: Tx): Promise<void> {
    await this.sessions.endAll(person, tx);
    await this.links.voidOf(person, tx);
    await this.backoff.forgetAddresses(person.userId, tx);
  }
}
