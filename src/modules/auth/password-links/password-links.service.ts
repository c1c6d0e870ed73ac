import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../../common/auth/opaque-token.js';
import type { Principal } from '../../../common/auth/principal.js';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { LimitsConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { OwnPasswordLinkError, PasswordLinkNotFoundError } from '../auth.errors.js';
import type { SessionHolder } from '../sessions/sessions.repository.js';
import type { PasswordLink } from './password-link.entity.js';
import { PasswordLinksRepository } from './password-links.repository.js';

const LINK_LIFE_MS = 86_400_000;
const LINKS_A_DAY = 10;

export interface MadePasswordLink {
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Links by which people set a new password without the old one. Transactions lock the account, then the member, then the
 * link, as those do that remove them.
 */
@Injectable()
export class PasswordLinksService {
  constructor(
    private readonly links: PasswordLinksRepository,
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Makes a link for a member of the caller's account. Nothing is sent: the caller passes it on.
   *
   * @throws OwnPasswordLinkError for the caller, whose session would be as good as the password
   * @throws MemberNotFoundError | TooManyRequestsError
   */
  makeForMember({ userId, memberId: callerId }: Principal, memberId: number): Promise<MadePasswordLink> {
    if (callerId === memberId) throw new OwnPasswordLinkError();
    return this.make({ userId, memberId });
  }

  /** Makes a link, in place of those before it. @throws MemberNotFoundError | TooManyRequestsError */
  async make(person: SessionHolder): Promise<MadePasswordLink> {
    const { userId, memberId } = person;
    const token = makeToken('prosa_reset_');
    const expiresAt = new Date(Date.now() + LINK_LIFE_MS);
    await this.transactions.run(async (tx) => {
      await this.accounts.lockLimits(userId, tx);
      if (memberId !== null) await this.members.lock(userId, memberId, tx);
      const { count, secondsToNext } = await this.links.ofDay(person, tx);
      if (this.limits.enabled && count >= LINKS_A_DAY) throw new TooManyRequestsError(secondsToNext);
      await this.links.voidOf(person, tx);
      await this.links.add({ userId, memberId, tokenHash: hashToken(token), expiresAt }, tx);
    });
    return { token, expiresAt };
  }

  /** The link of a token that can still be used. @throws PasswordLinkNotFoundError */
  async linkOf(token: string): Promise<PasswordLink> {
    const link = await this.links.find(hashToken(token));
    if (!link) throw new PasswordLinkNotFoundError();
    return link;
  }

  /** Uses a link, once. @throws PasswordLinkNotFoundError when it was used, is void or has expired since */
  async take({ id }: PasswordLink, tx: Tx): Promise<void> {
    if (!(await this.links.take(id, tx))) throw new PasswordLinkNotFoundError();
  }

  /** Who has another password needs none of the links made before. */
  voidOf(person: SessionHolder, tx: Tx): Promise<void> {
    return this.links.voidOf(person, tx);
  }

  /** Of everybody in the account. */
  endAll(userId: number, tx: Tx): Promise<void> {
    return this.links.deleteAll(userId, tx);
  }
}
