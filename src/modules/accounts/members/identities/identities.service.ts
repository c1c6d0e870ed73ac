import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#src/database/transactions.js';
import { EmailTakenError } from '../../accounts.errors.js';
import { AccountsService } from '../../accounts.service.js';
import { NO_PASSWORD } from '../../password.js';
import { MemberLimitError } from '../members.errors.js';
import { MembersRepository } from '../members.repository.js';
import type { Role } from '../role.js';
import { IdentitiesRepository } from './identities.repository.js';

export interface IdentifiedPerson {
  readonly userId: number;
  /** Null for the owner of the account. */
  readonly memberId: number | null;
}

export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface NewIdentifiedMember extends ProvenIdentity {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** People by issuer and subject, as an identity provider names them. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly members: MembersRepository,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  find({ issuer, subject }: ProvenIdentity): Promise<IdentifiedPerson | null> {
    return this.identities.find(issuer, subject);
  }

  /** Makes a member without a password; an invitation of the e-mail is used up. @throws EmailTakenError | MemberLimitError */
  createMember({ issuer, subject, ...person }: NewIdentifiedMember): Promise<IdentifiedPerson> {
    const { userId, email } = person;
    return this.transactions.run(async (tx) => {
      const { maxMembers } = await this.accounts.lockLimits(userId, tx);
      await this.members.endInvitation(userId, email, tx);
      const member = await this.members.add({ ...person, passwordHash: NO_PASSWORD }, tx);
      if (!member) throw new EmailTakenError();
      if ((await this.members.countOf(userId, tx)) > maxMembers) throw new MemberLimitError(maxMembers);
      await this.identities.add({ userId, memberId: member.id, issuer, subject }, tx);
      return { userId, memberId: member.id };
    });
  }

  /** Adds an identity to a person who has confirmed it. */
  link({ userId, memberId }: IdentifiedPerson, { issuer, subject }: ProvenIdentity, tx: Tx): Promise<void> {
    return this.identities.add({ userId, memberId, issuer, subject }, tx);
  }
}
