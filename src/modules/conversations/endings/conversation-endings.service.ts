import { Injectable } from '@nestjs/common';
import { addTokens, NO_TOKENS, type TokenSum } from '../../../common/figures/token-sum.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { JobsService } from '../../../queues/jobs.service.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { ConversationEventsPublisher } from '../conversation-events-publisher.js';
import type { Conversation } from '../conversation.entity.js';
import { ConversationsRepository } from '../conversations.repository.js';
import type { Message } from '../message.entity.js';
import { concludeConversationJob } from './conclude-conversation.job.js';
import { conversationEndedPayload } from './conversation-ended-payload.js';
import type { ConversationEnding } from './conversation-ending.entity.js';
import { ConversationEndingsRepository } from './conversation-endings.repository.js';
import { ConversationEvaluationsService } from './conversation-evaluations.service.js';

/** After so long without its job an end is taken up by the sweep. */
const LATE_MS = 60_000;
const SWEEP_BATCH = 500;
const MAX_TRANSCRIPT = 1_000;

/** What an evaluation has found, and the tokens it took. */
interface Findings {
  readonly evaluation: Evaluation;
  readonly tokens: TokenSum;
}

/**
 * The work after the end of a conversation, for any cause: the evaluation, then the webhook. The end stores a work
 * item. The transaction that deletes it stores the findings and the event, so only one of several processes does the
 * work.
 */
@Injectable()
export class ConversationEndingsService {
  constructor(
    private readonly endings: ConversationEndingsRepository,
    private readonly evaluations: ConversationEvaluationsService,
    private readonly conversations: ConversationsRepository,
    private readonly assistants: AssistantsService,
    private readonly webhooks: WebhooksService,
    private readonly events: ConversationEventsPublisher,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
  ) {}

  /** After the commit of an end: has a worker do the rest. What it does not take is found by the sweep. */
  ended(conversationId: string): void {
    this.jobs.wake(concludeConversationJob, { conversationId }, { id: `conclude-${conversationId}` });
  }

  /** The same for several, of which most may have nothing left to do. */
  async allEnded(conversationIds: readonly string[]): Promise<void> {
    if (conversationIds.length === 0) return;
    for (const id of await this.endings.pendingAmong(conversationIds)) this.ended(id);
  }

  /** Takes up ends whose job was lost. */
  async sweep(): Promise<void> {
    for (const id of await this.endings.findLate(LATE_MS, SWEEP_BATCH)) this.ended(id);
  }

  /**
   * Evaluates a conversation and sends its event; nothing when that is done.
   *
   * @throws ModelError when the model does not answer, and there is time to ask again
   */
  @Handles(concludeConversationJob)
  async conclude({ conversationId }: PayloadOf<typeof concludeConversationJob>): Promise<void> {
    // One that comes while this runs finds this job waiting for the model, and starts none of its own.
    for (;;) {
      const [first] = await this.endings.listOf(conversationId);
      if (!first) return;
      await this.concludeOne(first);
    }
  }

  private async concludeOne(ending: ConversationEnding): Promise<void> {
    const { conversationId, lastMessageId } = ending;
    const conversation = await this.conversations.find(conversationId);
    if (!conversation) return;
    const messages =
      lastMessageId === null
        ? []
        : await this.conversations.lastMessages(conversationId, MAX_TRANSCRIPT, {
            upTo: Number(lastMessageId),
          });
    let tokens = NO_TOKENS;
    const evaluation = await this.evaluations.evaluate(
      ending,
      conversation.assistantId,
      messages,
      (usage) => {
        tokens = addTokens(tokens, usage);
      },
    );
    const isAnnounced = await this.transactions.run((tx) =>
      this.complete(ending, conversation, messages, { evaluation, tokens }, tx),
    );
    this.events.state(ending.userId, conversationId);
    if (isAnnounced) this.webhooks.wake();
  }

  /** Returns whether an event is to be delivered. */
  private async complete(
    ending: ConversationEnding,
    conversation: Conversation,
    messages: readonly Message[],
    { evaluation, tokens }: Findings,
    tx: Tx,
  ): Promise<boolean> {
    if (!(await this.endings.remove(ending, tx))) return false;
    if (ending.isEvaluated) {
      await this.endings.storeEvaluation(conversation.id, evaluation, tokens, tx);
    }
    return this.announce(ending, conversation, messages, evaluation, tx);
  }

  private async announce(
    { userId, occurrence, endedAt }: ConversationEnding,
    conversation: Conversation,
    messages: readonly Message[],
    evaluation: Evaluation,
    tx: Tx,
  ): Promise<boolean> {
    const { id, assistantId, number, type, variables, createdAt } = conversation;
    const assistant = assistantId === null ? null : await this.assistants.find(userId, assistantId, tx);
    const url = assistant?.config.conversation_ended_webhook_url;
    if (!assistant || !url) return false;
    const { uuid, config } = assistant;
    const payload = conversationEndedPayload(
      // It may have been taken up again since.
      {
        id,
        number,
        type,
        variables,
        createdAt,
        endedAt,
        messageCount: occurrence,
        extractedVariables: evaluation,
      },
      messages,
      { uuid, timezone: config.timezone },
    );
    const event = { userId, assistantId, subjectId: id, occurrence, url, payload };
    await this.webhooks.enqueue({ ...event, kind: 'conversation-ended' }, tx);
    return true;
  }
}
