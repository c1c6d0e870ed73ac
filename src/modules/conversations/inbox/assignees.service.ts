import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { type KnownMember, MembersService } from '../../accounts/members/members.service.js';
import type { Assignee, ConversationRow } from './conversation-list.repository.js';
import type { Assignment } from './inbox.repository.js';

/** The people that conversations are assigned to. */
@Injectable()
export class AssigneesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
  ) {}

  /** The owner, and the members who answer customers. */
  async people(userId: number): Promise<Assignee[]> {
    const [owner, members] = await Promise.all([this.accounts.get(userId), this.members.list(userId)]);
    const answering = members.filter(answersCustomers);
    return [
      { memberId: null, name: owner.name },
      ...answering.map(({ id, name }) => ({ memberId: id, name })),
    ];
  }

  /** @throws ValidationFailedError when no member of the account who answers customers has this id */
  async assertThere(userId: number, { memberId }: Assignment): Promise<void> {
    if (memberId === null) return;
    const member = await this.members.find(userId, memberId);
    if (!member || !answersCustomers(member))
      throw ValidationFailedError.of('member_id', 'validation.exists');
  }

  /** The rows with their assignees. Runs no query where all are unassigned. */
  async named(userId: number, rows: readonly ConversationRow[]): Promise<ConversationRow[]> {
    const ids = rows.map(({ conversation }) => conversation.assigneeId).filter((id) => id !== null);
    const isOwners = rows.some(({ conversation }) => conversation.assignedToOwner);
    const [names, owner] = await Promise.all([
      this.members.namesOf(userId, ids),
      isOwners ? this.accounts.get(userId) : null,
    ]);
    return rows.map((row) => {
      const { assigneeId, assignedToOwner } = row.conversation;
      if (assignedToOwner && owner) return { ...row, assignee: { memberId: null, name: owner.name } };
      const name = assigneeId === null ? undefined : names.get(assigneeId);
      return assigneeId === null || name === undefined
        ? row
        : { ...row, assignee: { memberId: assigneeId, name } };
    });
  }
}

/** Viewers read conversations, and may neither answer nor pass them on. */
function answersCustomers({ role }: Pick<KnownMember, 'role'>): boolean {
  return role !== 'viewer';
}
