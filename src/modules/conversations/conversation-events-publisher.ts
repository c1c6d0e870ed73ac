import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';

/** Tells those who watch a conversation that there is something new: the tenant's people and systems, and the customer. */
@Injectable()
export class ConversationEventsPublisher {
  constructor(
    private readonly live: LiveEventsService,
    private readonly webhooks: WebhooksService,
  ) {}

  /** A message was stored. */
  message(userId: number, conversationId: string, messageId: number): void {
    this.webhooks.wakeFor(userId);
    this.live.publish(`account ${userId}`, 'conversation', conversationId);
    this.live.publish(`conversation ${conversationId}`, 'message', messageId);
  }

  /** A person or the AI takes over the answers, or the conversation is over. */
  state(userId: number, conversationId: string): void {
    this.live.publish(`account ${userId}`, 'conversation', conversationId);
    this.live.publish(`conversation ${conversationId}`, 'state');
  }

  /** What the tenant's people alone see. */
  reading(userId: number, conversationId: string): void {
    this.live.publish(`account ${userId}`, 'conversation', conversationId);
  }

  customerTypes(userId: number, conversationId: string): void {
    this.live.publish(`account ${userId}`, 'typing', conversationId);
  }

  personTypes(conversationId: string): void {
    this.live.publish(`conversation ${conversationId}`, 'typing');
  }
}
