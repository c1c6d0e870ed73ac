import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import { Logger } from '../../../common/observability/logger.js';
import { untilDatabaseAnswers } from '../../../database/outages/lost-connection.js';
import type { ChatTurnResult } from '../../../runtime/chat-turn.js';
import { HoldExpiredError } from '../../billing/billing.errors.js';
import { ConversationEventsPublisher } from '../conversation-events-publisher.js';
import { ProcessingFailedError } from '../conversations.errors.js';
import { ConversationEndingsService } from '../endings/conversation-endings.service.js';
import { AnswerConfirmationService } from './answer-confirmation.service.js';
import { CustomerMessagesService } from './customer-messages.service.js';
import type { OpenTurn } from './open-turn.js';
import { type AnswerHandoff, TurnsRepository } from './turns.repository.js';

/** Completes turns: stores the answer and captures its price, or gives the turn up. */
@Injectable()
export class TurnCompletionService {
  constructor(
    private readonly turns: TurnsRepository,
    private readonly messages: CustomerMessagesService,
    private readonly confirmation: AnswerConfirmationService,
    private readonly endings: ConversationEndingsService,
    private readonly events: ConversationEventsPublisher,
    private readonly logger: Logger,
  ) {}

  /** Stores the answer, charges it, and publishes both. @throws HoldExpiredError | ProcessingFailedError | UnavailableError */
  async complete(
    turn: OpenTurn,
    { text, functionCalls, effects }: ChatTurnResult,
    handoff: AnswerHandoff | null,
    tokens: TokenSum,
  ): Promise<void> {
    const { conversationId } = turn;
    const endsConversation = effects.includes('end-conversation');
    let answerId: number | null;
    try {
      answerId = await this.messages.finish(turn, { text, functionCalls, endsConversation, tokens, handoff });
      if (answerId === null) throw new HoldExpiredError();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      answerId = await this.decide(turn, error);
    }
    const isKept = await this.confirmation.confirm({ conversationId, answerId });
    if (!isKept) throw new ProcessingFailedError('lost');
    this.events.message(turn.assistant.policy.userId, conversationId, answerId);
    if (endsConversation) this.endings.ended(conversationId);
  }

  /** Never fails, because the caller reports the turn's own error. Leases and holds that stay here expire. */
  async abandon(turn: OpenTurn, tokens: TokenSum): Promise<void> {
    try {
      await this.turns.abandon(turn, tokens);
    } catch (error) {
      this.logger.warn('failed turn not cleared', { conversationId: turn.conversationId, err: error });
    }
  }

  /** Whether a person has taken over or ended the conversation, so that the turn's answer is not needed any more. */
  async isTakenFrom({ conversationId }: OpenTurn): Promise<boolean> {
    try {
      return await this.turns.isOutOfAiHands(conversationId);
    } catch (error) {
      this.logger.warn('conversation not looked at', { conversationId, err: error });
      return false;
    }
  }

  /**
   * The connection was lost while the answer was stored: finds out whether it is stored, and makes sure that this does not
   * change.
   *
   * @throws the connection's error when there is no answer, or when the database stays away
   */
  private async decide(turn: OpenTurn, lost: UnavailableError): Promise<number> {
    const decided = await untilDatabaseAnswers(
      () => this.turns.abandon(turn),
      (error) => this.logger.warn('answer in doubt', { conversationId: turn.conversationId, err: error }),
    );
    // Nothing is stored or charged: the caller may try again.
    if (!decided || decided.answer === null) throw lost;
    return decided.answer;
  }
}
