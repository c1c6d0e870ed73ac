import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../../common/auth/opaque-token.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { EmailTakenError } from '../accounts.errors.js';
import { AccountsService, type PasswordReplacement } from '../accounts.service.js';
import { hashPassword, NO_PASSWORD, verifyPassword } from '../password.js';
import type { IdentifiedPerson } from './identities/identities.service.js';
import type { Invitation } from './invitation.entity.js';
import type { Member } from './member.entity.js';
import type { Role } from './role.js';
import { InvitationNotFoundError, MemberLimitError, MemberNotFoundError } from './members.errors.js';
import { MembersRepository } from './members.repository.js';

/** Long enough for a weekend and a holiday. */
const INVITATION_LIFE_MS = 7 * 86_400_000;

/** A member as the module that signs people in knows it. */
export type KnownMember = Member;

export interface CreatedInvitation {
  readonly invitation: Invitation;
  /** Shown once; only its hash is stored. */
  readonly token: string;
}

export interface InvitationWish {
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
}

/** Who has accepted an invitation. */
export interface NewPerson {
  readonly name: string;
  readonly password: string;
}

/** People who work in an account. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number, tx?: Tx): Promise<Member[]> {
    return this.members.list(userId, tx);
  }

  /** Those that can still be accepted. */
  invitations(userId: number): Promise<Invitation[]> {
    return this.members.invitations(userId);
  }

  /**
   * Makes an invitation, in place of an older one to the same address.
   *
   * An e-mail of another account is invited too: only the person with the link learns that it is taken.
   *
   * @param withIt what is done in the same transaction, given the invitation
   * @throws EmailTakenError for a person of this account
   * @throws MemberLimitError
   */
  async invite<Result>(
    { userId, email, role }: InvitationWish,
    withIt: (created: CreatedInvitation, tx: Tx) => Promise<Result>,
  ): Promise<CreatedInvitation & { readonly result: Result }> {
    const token = makeToken('prosa_inv_');
    const invitation = {
      userId,
      email: email.toLowerCase(),
      role,
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + INVITATION_LIFE_MS),
    };
    return this.transactions.run(async (tx) => {
      const { maxMembers } = await this.accounts.lockLimits(userId, tx);
      if (await this.members.isPersonOf(userId, invitation.email, tx)) throw new EmailTakenError();
      const made = await this.members.invite(invitation, tx);
      if ((await this.members.countOf(userId, tx)) > maxMembers) throw new MemberLimitError(maxMembers);
      const created = { invitation: made, token };
      return { ...created, result: await withIt(created, tx) };
    });
  }

  /** Calls an invitation back. @throws InvitationNotFoundError */
  async callBack(userId: number, id: number): Promise<void> {
    if (!(await this.members.deleteInvitation(userId, id))) throw new InvitationNotFoundError();
  }

  /** The invitation of a token that can still be accepted. @throws InvitationNotFoundError */
  async invitationOf(token: string): Promise<Invitation> {
    return (await this.members.findInvitation(hashToken(token))) ?? InvitationNotFoundError.throw();
  }

  /** Makes the person a member; the invitation is used up. @throws InvitationNotFoundError | EmailTakenError */
  async accept(invitation: Invitation, { name, password }: NewPerson): Promise<Member> {
    const { id, userId, email, role } = invitation;
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      if (!(await this.members.takeInvitation(id, tx))) throw new InvitationNotFoundError();
      const member = await this.members.add({ userId, name, email, passwordHash, role }, tx);
      if (!member) throw new EmailTakenError();
      return member;
    });
  }

  /** From the next request on. @throws MemberNotFoundError */
  async changeRole(userId: number, id: number, role: Role, tx?: Tx): Promise<void> {
    if (!(await this.members.setRole(userId, id, role, tx))) throw new MemberNotFoundError();
  }

  /** Takes a person out of the account, and ends their sessions. @throws MemberNotFoundError */
  async remove(userId: number, id: number): Promise<void> {
    if (!(await this.members.delete(userId, id))) throw new MemberNotFoundError();
  }

  /** Takes everybody out of an account that is being deleted, and ends their sessions. */
  removeAll(userId: number, tx: Tx): Promise<void> {
    return this.members.deleteAll(userId, tx);
  }

  /** Names by id; those who have been removed are not in it. */
  async namesOf(userId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const members = await this.members.withIds(userId, [...new Set(ids)]);
    return new Map(members.map(({ id, name }) => [id, name]));
  }

  findByEmail(email: string): Promise<Member | null> {
    return this.members.findByEmail(email.toLowerCase());
  }

  /** The owner of an account, or a member of one. Known and unknown e-mails take the same statements. */
  async findPerson(email: string): Promise<IdentifiedPerson | null> {
    const [account, member] = await Promise.all([this.accounts.findByEmail(email), this.findByEmail(email)]);
    if (account) return { userId: account.id, memberId: null };
    return member && { userId: member.userId, memberId: member.id };
  }

  find(userId: number, id: number): Promise<Member | null> {
    return this.members.findById(userId, id);
  }

  /** The member behind a session. @throws MemberNotFoundError when the member was removed since */
  async get(userId: number, id: number): Promise<Member> {
    return (await this.find(userId, id)) ?? MemberNotFoundError.throw();
  }

  /** Keeps a member from being removed until the transaction ends. @throws MemberNotFoundError */
  async lock(userId: number, id: number, tx: Tx): Promise<void> {
    if (!(await this.members.lock(userId, id, tx))) throw new MemberNotFoundError();
  }

  /** Sets a password that was hashed before, without a check of the old one; false when the member was removed. */
  setPassword(userId: number, id: number, passwordHash: string, tx: Tx): Promise<boolean> {
    return this.members.setPassword(userId, id, passwordHash, tx);
  }

  /** False for a member who signs in through an identity provider alone. */
  hasPassword({ passwordHash }: Member): boolean {
    return passwordHash !== NO_PASSWORD;
  }

  isPasswordOf({ passwordHash }: Member, password: string): Promise<boolean> {
    return verifyPassword(password, passwordHash);
  }

  /** Whether the password that was given is the member's still; if so, it stays so until the transaction ends. */
  isStillVerified({ id, passwordHash }: Member, tx: Tx): Promise<boolean> {
    return this.members.lockPassword(id, passwordHash, tx);
  }

  /** Works a change of password out, which takes long, ahead of the transaction; null when `current` is wrong. */
  async prepareNewPassword(
    { id, passwordHash }: Member,
    current: string,
    next: string,
  ): Promise<PasswordReplacement | null> {
    if (!(await verifyPassword(current, passwordHash))) return null;
    return { userId: id, oldHash: passwordHash, newHash: await hashPassword(next) };
  }

  /** False when the password was changed in the meantime. */
  replacePassword({ userId: id, oldHash, newHash }: PasswordReplacement, tx: Tx): Promise<boolean> {
    return this.members.replacePassword(id, oldHash, newHash, tx);
  }
}
