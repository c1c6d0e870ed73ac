import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { storedTags } from '../../../common/tags/tags.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import { ConversationEventsPublisher } from '../conversation-events-publisher.js';
import { ConversationNotFoundError } from '../conversations.errors.js';
import { ConversationEndingsService } from '../endings/conversation-endings.service.js';
import type { Message } from '../message.entity.js';
import { TurnLeasesService } from '../turns/turn-leases.service.js';
import {
  ConversationListRepository,
  type ConversationRow,
  type ListPosition,
  type ListRequest,
} from './conversation-list.repository.js';
import { AssigneesService } from './assignees.service.js';
import { type Assignment, InboxRepository, type ThreadRequest } from './inbox.repository.js';

/** One screen of the list, with the ways on and back. */
export interface ConversationSlice {
  readonly rows: readonly ConversationRow[];
  readonly next: ListPosition | null;
  readonly previous: ListPosition | null;
}

/** A part of a thread, oldest first. */
export interface ThreadSlice {
  readonly messages: readonly Message[];
  /** Whether there are more in the direction that was asked for. */
  readonly hasMore: boolean;
}

/** What the people of a tenant see of its conversations, and do in them. */
@Injectable()
export class InboxService {
  constructor(
    private readonly rows: ConversationListRepository,
    private readonly inbox: InboxRepository,
    private readonly endings: ConversationEndingsService,
    private readonly leases: TurnLeasesService,
    private readonly effect: IdempotentEffectService,
    private readonly events: ConversationEventsPublisher,
    private readonly transactions: Transactions,
    private readonly assignees: AssigneesService,
  ) {}

  async list(userId: number, request: ListRequest): Promise<ConversationSlice> {
    const { position, limit, sort } = request;
    const found = await this.rows.list(userId, request);
    const hasMore = found.length > limit;
    const rows = found.slice(0, limit);
    if (position?.direction === 'prev') rows.reverse();
    const [first, last] = [rows[0], rows.at(-1)];
    const forward = position?.direction === 'prev' || hasMore;
    const backward = position !== undefined && (position.direction === 'next' || hasMore);
    return {
      rows: await this.assignees.named(userId, rows),
      next: last && forward ? positionOf(last, sort, 'next') : null,
      previous: first && backward ? positionOf(first, sort, 'prev') : null,
    };
  }

  /** @throws ConversationNotFoundError */
  async get(userId: number, id: string): Promise<ConversationRow> {
    const row = (await this.rows.find(userId, id)) ?? ConversationNotFoundError.throw();
    const [named = row] = await this.assignees.named(userId, [row]);
    return named;
  }

  /** @throws ConversationNotFoundError */
  async thread(userId: number, id: string, request: ThreadRequest): Promise<ThreadSlice> {
    await this.get(userId, id);
    return this.sliceOf(id, request);
  }

  /** The same for who has nothing but the conversation's id, once it is known that there is one. */
  async sliceOf(id: string, request: ThreadRequest): Promise<ThreadSlice> {
    const found = await this.inbox.thread(id, request);
    const hasMore = found.length > request.limit;
    if (!hasMore) return { messages: found, hasMore };
    const isForward = request.after !== undefined && request.before === undefined;
    return { messages: isForward ? found.slice(0, request.limit) : found.slice(1), hasMore };
  }

  /**
   * Stores a person's message. The conversation is theirs from then on, one that had ended is open again, and a turn that
   * is running ends: its answer is dropped, and nothing is charged for it.
   *
   * @throws ConversationNotFoundError
   */
  async reply(caller: Principal, id: string, content: string): Promise<Message> {
    const { userId } = caller;
    const { message, isNew } = await this.transactions.runWithVerifiedCommit((tx) =>
      this.effect.once(tx, {
        make: async () => ({ message: await this.storeReply(caller, id, content, tx), isNew: true }),
        referenceOf: (reply) => reply.message.id,
        recall: async (messageId) => ({
          message: await this.inbox.getMessage(id, messageId, tx),
          isNew: false,
        }),
      }),
    );
    // A turn that runs at a repetition may have begun after the reply.
    if (isNew) this.leases.stop(id);
    this.events.message(userId, id, Number(message.id));
    this.events.state(userId, id);
    return message;
  }

  /**
   * Switches the AI off and ends a turn that is running. The person who does it becomes the assignee where there is none.
   *
   * @throws ConversationNotFoundError
   */
  async takeOver(caller: Principal, id: string): Promise<ConversationRow> {
    if (!(await this.inbox.takeOver(caller, id))) throw new ConversationNotFoundError();
    this.leases.stop(id);
    return this.stateChanged(caller.userId, id);
  }

  /** Lets the AI answer again, from the next message on. @throws ConversationNotFoundError */
  async handBack(userId: number, id: string): Promise<ConversationRow> {
    if (!(await this.inbox.handBack(userId, id))) throw new ConversationNotFoundError();
    return this.stateChanged(userId, id);
  }

  /** Ends the conversation; what is left to do for it, such as its webhook, is done soon. @throws ConversationNotFoundError */
  async close(userId: number, id: string): Promise<ConversationRow> {
    if (!(await this.inbox.close(userId, id))) throw new ConversationNotFoundError();
    this.leases.stop(id);
    this.endings.ended(id);
    return this.stateChanged(userId, id);
  }

  /** Opens it again, as it was before a person closed it. @throws ConversationNotFoundError */
  async reopen(userId: number, id: string): Promise<ConversationRow> {
    if (!(await this.inbox.reopen(userId, id))) throw new ConversationNotFoundError();
    return this.stateChanged(userId, id);
  }

  /** @throws ConversationNotFoundError | ValidationFailedError for a member that the account does not have */
  async assign(userId: number, id: string, assignment: Assignment): Promise<ConversationRow> {
    await this.get(userId, id);
    await this.assignees.assertThere(userId, assignment);
    return this.readingChanged(userId, id, await this.inbox.assign(userId, id, assignment));
  }

  /**
   * Gives a conversation these tags and no others.
   *
   * @returns the tags, sorted, without blanks around them
   * @throws ConversationNotFoundError
   */
  async setTags(userId: number, id: string, given: readonly string[]): Promise<string[]> {
    const tags = storedTags(given);
    await this.transactions.run(async (tx) => {
      if (!(await this.inbox.lock(userId, id, tx))) throw new ConversationNotFoundError();
      await this.inbox.replaceTags(userId, id, tags, tx);
    });
    this.events.reading(userId, id);
    return tags;
  }

  /** @throws ConversationNotFoundError */
  async markRead(userId: number, id: string): Promise<ConversationRow> {
    return this.readingChanged(userId, id, await this.inbox.markRead(userId, id));
  }

  /** @throws ConversationNotFoundError */
  async markUnread(userId: number, id: string): Promise<ConversationRow> {
    return this.readingChanged(userId, id, await this.inbox.markUnread(userId, id));
  }

  private async storeReply(caller: Principal, id: string, content: string, tx: Tx): Promise<Message> {
    return (await this.inbox.reply(caller, id, content, tx)) ?? ConversationNotFoundError.throw();
  }

  /** Lets the customer know that a person types. Nothing is stored. @throws ConversationNotFoundError */
  async showTyping(userId: number, id: string): Promise<void> {
    await this.get(userId, id);
    this.events.personTypes(id);
  }

  private stateChanged(userId: number, id: string): Promise<ConversationRow> {
    this.events.state(userId, id);
    return this.get(userId, id);
  }

  private readingChanged(userId: number, id: string, isFound: boolean): Promise<ConversationRow> {
    if (!isFound) throw new ConversationNotFoundError();
    this.events.reading(userId, id);
    return this.get(userId, id);
  }
}

function positionOf(
  { conversation }: ConversationRow,
  sort: ListRequest['sort'],
  direction: ListPosition['direction'],
): ListPosition {
  const at = sort === 'created' ? conversation.createdAt : conversation.lastMessageAt;
  return { at: (at ?? conversation.createdAt).toISOString(), id: conversation.id, direction };
}
