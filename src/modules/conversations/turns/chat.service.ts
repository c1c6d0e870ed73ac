import { Injectable } from '@nestjs/common';
import type { ChatModelProvider } from '../../../providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import type { TurnListener } from '../../../runtime/chat-turn.js';
import type { Visitor } from '../../visitors/visitor.js';
import { ConversationOriginsService } from '../conversation-origins.service.js';
import { ChatMetricsService } from './chat-metrics.service.js';
import { ConversationQueueService } from './conversation-queue.service.js';
import type { ChatReply } from './customer-messages.service.js';
import { TurnAnswerService } from './turn-answer.service.js';
import { TurnStartService } from './turn-start.service.js';

/**
 * A message in, an answer out. The message is stored and its price held before the model is asked. One transaction stores the
 * answer and captures the price, or the price is given back. Whenever a process dies, a message is charged once, with its
 * answer, or not at all.
 */
@Injectable()
export class ChatService {
  constructor(
    private readonly origins: ConversationOriginsService,
    private readonly models: ChatModelRegistry,
    private readonly queue: ConversationQueueService,
    private readonly starts: TurnStartService,
    private readonly answers: TurnAnswerService,
    private readonly metrics: ChatMetricsService,
  ) {}

  /** Which kind of model answers in a conversation; `sandbox` is no neural network. @throws ConversationNotFoundError */
  async modelProviderOf(conversationId: string): Promise<ChatModelProvider> {
    return (await this.models.select(await this.ownerOf(conversationId))).provider;
  }

  /** The account that pays for a conversation. @throws ConversationNotFoundError */
  async ownerOf(conversationId: string): Promise<number> {
    return (await this.origins.get(conversationId)).userId;
  }

  /**
   * Sends a customer's message and returns the answer.
   *
   * @throws ConversationNotFoundError | ConversationEndedError | InsufficientBalanceError | VisitorLimitError |
   *   OriginNotAllowedError | ProcessingFailedError
   */
  send(
    conversationId: string,
    content: string,
    visitor: Visitor,
    listener?: TurnListener,
  ): Promise<ChatReply> {
    return this.queue.run(conversationId, async () => {
      const turn = await this.starts.start(conversationId, content, visitor);
      return 'reply' in turn
        ? turn.reply
        : this.metrics.measure(() => this.answers.answer(turn, content, listener));
    });
  }
}
