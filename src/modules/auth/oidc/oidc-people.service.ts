import { Injectable } from '@nestjs/common';
import { OidcConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import type { OidcPerson } from '../../../providers/oidc/oidc-provider.js';
import { EmailTakenError } from '../../accounts/accounts.errors.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { MemberLimitError } from '../../accounts/members/members.errors.js';
import {
  type IdentifiedPerson,
  IdentitiesService,
  type ProvenIdentity,
} from '../../accounts/members/identities/identities.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import type { Role } from '../../accounts/members/role.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInRefusedError } from './oidc.errors.js';
import { roleOfClaims } from './role-of-claims.js';

/** A person of the account whose e-mail the provider has verified, and who is not linked yet. */
export interface ProvenPerson extends ProvenIdentity, IdentifiedPerson {
  readonly email: string;
  readonly role: Role;
}

export type Recognition =
  | { readonly isConfirmed: true; readonly person: IdentifiedPerson }
  | { readonly isConfirmed: false; readonly person: ProvenPerson };

/** Finds, or makes, the person of the account whom the provider has identified. The role follows the claims. */
@Injectable()
export class OidcPeopleService {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly config: OidcConfig,
  ) {}

  /** @throws SignInRefusedError */
  async recognise(known: OidcPerson): Promise<Recognition> {
    const { provider } = this.config;
    if (!provider) throw new SignInRefusedError('not-configured');
    const account = await this.accounts.findByEmail(provider.accountEmail);
    if (!account) throw new SignInRefusedError('no-account');
    const role = roleOfClaims(provider.roles, known.claims);
    const person = await this.identities.find(known);
    if (person) return { isConfirmed: true, person: await this.admit(person, account.id, role) };
    if (role === null) throw new SignInRefusedError('no-role');
    return this.meet(known, account.id, role);
  }

  /** Links a person who has confirmed the e-mail with its password. */
  async link({ role, ...person }: ProvenPerson, tx: Tx): Promise<void> {
    await this.identities.link(person, person, tx);
    await this.setRole(person, role, tx);
  }

  /** A person who is linked. Without a role the sessions of a member end. */
  private async admit(
    person: IdentifiedPerson,
    accountId: number,
    role: Role | null,
  ): Promise<IdentifiedPerson> {
    const { userId, memberId } = person;
    if (userId !== accountId) throw new SignInRefusedError('no-account');
    // The owner of the account has no role to lower.
    if (role === null || (memberId === null && role !== 'owner')) {
      if (memberId !== null) await this.transactions.run((tx) => this.sessions.endAll(person, tx));
      throw new SignInRefusedError('no-role');
    }
    await this.transactions.run((tx) => this.setRole(person, role, tx));
    return person;
  }

  /** A person at the first sign-in. */
  private async meet(known: OidcPerson, userId: number, role: Role): Promise<Recognition> {
    const { issuer, subject, email, name, isEmailVerified } = known;
    if (email === null) throw new SignInRefusedError('email-missing');
    const holder = await this.members.findPerson(email);
    if (holder) {
      if (holder.userId !== userId) throw new SignInRefusedError('email-taken');
      if (isEmailVerified !== true) throw new SignInRefusedError('email-unverified');
      if (holder.memberId === null && role !== 'owner') throw new SignInRefusedError('no-role');
      return { isConfirmed: false, person: { ...holder, issuer, subject, email, role } };
    }
    if (isEmailVerified === false) throw new SignInRefusedError('email-unverified');
    try {
      const wanted = { userId, issuer, subject, name: (name ?? email).slice(0, 255), email, role };
      return { isConfirmed: true, person: await this.identities.createMember(wanted) };
    } catch (error) {
      if (error instanceof MemberLimitError) throw new SignInRefusedError('member-limit');
      if (!(error instanceof EmailTakenError)) throw error;
      // Two first sign-ins of one person at the same moment.
      const person = await this.identities.find(known);
      if (!person) throw new SignInRefusedError('email-taken');
      return { isConfirmed: true, person };
    }
  }

  private async setRole({ userId, memberId }: IdentifiedPerson, role: Role, tx: Tx): Promise<void> {
    if (memberId !== null) await this.members.changeRole(userId, memberId, role, tx);
  }
}
