import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { conversationEndedPayload } from './conversation-ended-payload.js';
import { ConversationNewsService } from '../conversation-news.service.js';
import { ConversationsRepository, type EndedConversation } from '../conversations.repository.js';
import { UnusedConversationsRepository } from './unused-conversations.repository.js';

const BATCH = 50;
const UNUSED_KEPT_MS = 86_400_000;
const UNUSED_BATCH = 500;

/** Ends conversations in which nobody writes any more, and tells those who want to know. */
@Injectable()
export class IdleConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly unused: UnusedConversationsRepository,
    private readonly assistants: AssistantsService,
    private readonly webhooks: WebhooksService,
    private readonly news: ConversationNewsService,
    private readonly transactions: Transactions,
  ) {}

  /** Ends what is idle, each with its event in one transaction. Safe in many processes at once. */
  async endIdle(): Promise<void> {
    for (;;) {
      const ended = await this.transactions.run((tx) => this.endBatch(tx));
      for (const { userId, id } of ended) this.news.state(userId, id);
      if (ended.length > 0) this.webhooks.wake();
      if (ended.length < BATCH) return;
    }
  }

  /** Deletes widget conversations in which nobody has written, a day after their end. */
  async removeUnused(): Promise<void> {
    while ((await this.unused.remove(UNUSED_KEPT_MS, UNUSED_BATCH)) === UNUSED_BATCH);
  }

  private async endBatch(tx: Tx): Promise<readonly EndedConversation[]> {
    const ended = await this.conversations.endIdle(BATCH, tx);
    for (const conversation of ended) await this.announce(conversation, tx);
    return ended;
  }

  private async announce(conversation: EndedConversation, tx: Tx): Promise<void> {
    const { id, userId, assistantId, messageCount } = conversation;
    const assistant = assistantId === null ? null : await this.assistants.find(userId, assistantId, tx);
    const url = assistant?.config.conversation_ended_webhook_url;
    if (!assistant || !url) return;
    const messages = await this.conversations.transcriptOf(id, tx);
    const { uuid, config } = assistant;
    const payload = conversationEndedPayload(conversation, messages, { uuid, timezone: config.timezone });
    await this.webhooks.enqueue(
      {
        userId,
        kind: 'conversation-ended',
        assistantId: assistant.id,
        subjectId: id,
        // A conversation that is taken up again has more messages when it ends again.
        occurrence: messageCount,
        url,
        payload,
      },
      tx,
    );
  }
}
