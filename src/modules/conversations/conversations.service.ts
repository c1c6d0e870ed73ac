import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import {
  AssistantHistoriesService,
  type AssistantHistory,
} from '../assistants/deletion/assistant-histories.service.js';
import type { Conversation } from './conversation.entity.js';
import { ConversationEventsPublisher } from './conversation-events-publisher.js';
import { ConversationOriginsService } from './conversation-origins.service.js';
import { ConversationNotFoundError } from './conversations.errors.js';
import { ConversationsRepository } from './conversations.repository.js';
import type { ThreadRequest } from './inbox/inbox.repository.js';
import { InboxService, type ThreadSlice } from './inbox/inbox.service.js';
import type { Message } from './message.entity.js';

const HISTORY_LIMIT = 1_000;
/** Each is a statement of its own, because a million conversations would take longer than a statement may. */
const DETACH_BATCH = 5_000;

export interface ConversationDetails {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

@Injectable()
export class ConversationsService implements AssistantHistory, OnModuleInit {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly origins: ConversationOriginsService,
    private readonly inbox: InboxService,
    private readonly events: ConversationEventsPublisher,
    private readonly histories: AssistantHistoriesService,
  ) {}

  onModuleInit(): void {
    this.histories.add(this);
  }

  /** @throws ConversationNotFoundError */
  async read(id: string, tx?: Tx): Promise<ConversationDetails> {
    const conversation = (await this.conversations.find(id, tx)) ?? ConversationNotFoundError.throw();
    return { conversation, messages: await this.conversations.lastMessages(id, HISTORY_LIMIT, {}, tx) };
  }

  /** A part of what was said. @throws ConversationNotFoundError */
  async thread(id: string, request: ThreadRequest): Promise<ThreadSlice> {
    await this.origins.get(id);
    return this.inbox.sliceOf(id, request);
  }

  /** Parts all conversations from an assistant that is about to be deleted: they stay, as the record of what was said. */
  async detachAssistant(userId: number, assistantId: number): Promise<void> {
    while (await this.conversations.detachSome(userId, assistantId, DETACH_BATCH));
  }

  /** Switches the AI off or on; while it is off, messages are stored and not answered. @throws ConversationNotFoundError */
  async setAiEnabled(userId: number, id: string, enabled: boolean): Promise<void> {
    if (!(await this.conversations.setAiEnabled(userId, id, enabled))) throw new ConversationNotFoundError();
    this.events.state(userId, id);
  }

  /** Lets the tenant's people know that the customer types. Nothing is stored. @throws ConversationNotFoundError */
  async showTyping(id: string): Promise<void> {
    this.events.customerTypes((await this.origins.get(id)).userId, id);
  }
}
