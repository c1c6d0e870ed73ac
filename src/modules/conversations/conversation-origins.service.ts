import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ConversationNotFoundError } from './conversations.errors.js';
import { type ConversationOrigin, ConversationsRepository } from './conversations.repository.js';

const MAX_CACHED = 10_000;

/** Whose conversations are, and with which assistant. That never changes, so a conversation is looked up once. */
@Injectable()
export class ConversationOriginsService {
  private readonly cache = new LRUCache<string, ConversationOrigin>({ max: MAX_CACHED });

  constructor(private readonly conversations: ConversationsRepository) {}

  /**
   * A conversation or an assistant that was deleted in the meantime may still be cached here.
   *
   * @throws ConversationNotFoundError
   */
  async get(conversationId: string): Promise<ConversationOrigin> {
    const cached = this.cache.get(conversationId);
    if (cached) return cached;
    const found = (await this.conversations.findOrigin(conversationId)) ?? ConversationNotFoundError.throw();
    this.cache.set(conversationId, found);
    return found;
  }
}
