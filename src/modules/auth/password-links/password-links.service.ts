import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../../common/auth/opaque-token.js';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { LimitsConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { PasswordLinkNotFoundError } from '../auth.errors.js';
import type { SessionHolder } from '../sessions/sessions.repository.js';
import type { LinkPurpose, PasswordLink } from './password-link.entity.js';
import { type LinksOfDay, PasswordLinksRepository } from './password-links.repository.js';

const LINK_LIFE_MS = 86_400_000;
const LINKS_A_DAY = 10;
/** Another person may ask for it as well, and the mailbox may be read by others later. */
const REQUESTED_LINK_LIFE_MS = 3_600_000;
const REQUESTED_LINKS_A_DAY = 5;
/** The operator passes it on at once. */
const SIGN_IN_LINK_LIFE_MS = 600_000;

export interface MadePasswordLink {
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

type WithLink<Result> = (link: MadePasswordLink, tx: Tx) => Promise<Result>;
type LinkWith<Result> = MadePasswordLink & { readonly result: Result };

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
   * Makes a link, in place of those before it.
   *
   * @param withIt what is done in the same transaction, given the link
   * @throws MemberNotFoundError | TooManyRequestsError
   */
  make<Result>(person: SessionHolder, withIt: WithLink<Result>): Promise<LinkWith<Result>> {
    const link = newLink(LINK_LIFE_MS);
    return this.transactions.run(async (tx) => {
      const { count, secondsToNext } = await this.lockAndCount(person, tx);
      if (this.limits.enabled && count >= LINKS_A_DAY) throw new TooManyRequestsError(secondsToNext);
      await this.links.voidOf(person, tx);
      return this.add(person, link, withIt, tx);
    });
  }

  /**
   * Makes a link that a person has asked for without a session. Others may have asked, so earlier links stay valid, and
   * some links of the day are left for an owner to make.
   *
   * @returns null after too many links within a day
   */
  makeRequested<Result>(person: SessionHolder, withIt: WithLink<Result>): Promise<LinkWith<Result> | null> {
    const link = newLink(REQUESTED_LINK_LIFE_MS);
    return this.transactions.run(async (tx) => {
      const { count } = await this.lockAndCount(person, tx);
      if (this.limits.enabled && count >= REQUESTED_LINKS_A_DAY) return null;
      return this.add(person, link, withIt, tx);
    });
  }

  /** Makes a link of the operator by which a person signs in once, also where passwords are switched off. */
  async makeSignIn(person: SessionHolder): Promise<MadePasswordLink> {
    const token = makeToken('prosa_login_');
    const link = { token, expiresAt: new Date(Date.now() + SIGN_IN_LINK_LIFE_MS) };
    await this.transactions.run(async (tx) => {
      await this.lockAndCount(person, tx);
      await this.links.add({ ...rowOf(person, link), purpose: 'sign-in' }, tx);
    });
    return link;
  }

  /** The link of a token that can still be used. @throws PasswordLinkNotFoundError */
  async linkOf(token: string, purpose: LinkPurpose = 'password'): Promise<PasswordLink> {
    return (await this.links.find(hashToken(token), purpose)) ?? PasswordLinkNotFoundError.throw();
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

  private async lockAndCount(person: SessionHolder, tx: Tx): Promise<LinksOfDay> {
    const { userId, memberId } = person;
    await this.accounts.lockLimits(userId, tx);
    if (memberId !== null) await this.members.lock(userId, memberId, tx);
    return this.links.ofDay(person, tx);
  }

  private async add<Result>(
    person: SessionHolder,
    link: MadePasswordLink,
    withIt: WithLink<Result>,
    tx: Tx,
  ): Promise<LinkWith<Result>> {
    await this.links.add({ ...rowOf(person, link), purpose: 'password' }, tx);
    return { ...link, result: await withIt(link, tx) };
  }
}

function rowOf({ userId, memberId }: SessionHolder, { token, expiresAt }: MadePasswordLink) {
  return { userId, memberId, tokenHash: hashToken(token), expiresAt };
}

function newLink(lifeMs: number): MadePasswordLink {
  return { token: makeToken('prosa_reset_'), expiresAt: new Date(Date.now() + lifeMs) };
}
