import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { type CompiledAssistant, withInitialMessage } from '../../runtime/compile-assistant.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import type { CallerProfile } from '../caller-lookups/caller-profile.js';
import type { Conversation } from './conversation.entity.js';
import { ConversationsRepository } from './conversations.repository.js';
import { type ConversationDetails, ConversationsService } from './conversations.service.js';

export type NewTalk = Omit<CallerProfile, 'lookup'> & Pick<Conversation, 'id' | 'type' | 'byVisitor'>;

/** Writes new conversations. */
@Injectable()
export class ConversationWriterService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly reading: ConversationsService,
  ) {}

  /** Writes a conversation with the first words of its assistant. */
  async write(
    { id: assistantId, userId }: Pick<AssistantDetails, 'id' | 'userId'>,
    compiled: CompiledAssistant,
    { id, type, byVisitor, variables, initialMessage, lookupVariables }: NewTalk,
    tx: Tx,
  ): Promise<ConversationDetails> {
    const speaker = withInitialMessage(compiled, initialMessage);
    const greeting = speaker.greeting(speaker.variablesOf({ variables, now: new Date() }));
    await this.conversations.add(
      { id, userId, assistantId, type, variables, byVisitor, lookupVariables },
      tx,
    );
    if (greeting !== '') {
      await this.conversations.addMessage(
        { conversationId: id, userId, role: 'assistant', author: 'ai', content: greeting },
        tx,
      );
    }
    return this.reading.read(id, tx);
  }
}
