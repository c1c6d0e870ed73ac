import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../common/errors/errors.js';
import { ChatConfig } from '../../../config/config.js';
import { MESSAGE_PRICE_MICROS } from '../../billing/money.js';
import type { VisitorBudget } from '../../billing/spend/visitor-budget.js';
import { VisitorSpendService } from '../../billing/spend/visitor-spend.service.js';
import type { Visitor } from '../../visitors/visitor.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { TestAllowanceService } from '../test-allowance.service.js';
import { ConversationEventsPublisher } from '../conversation-events-publisher.js';
import { ConversationOriginsService } from '../conversation-origins.service.js';
import type { ConversationOrigin } from '../conversations.repository.js';
import { ConversationEndedError, ConversationNotFoundError } from '../conversations.errors.js';
import { type ChatAssistant, ChatAssistantsService } from './chat-assistants.service.js';
import { type ChatReply, CustomerMessagesService, NO_REPLY } from './customer-messages.service.js';
import type { OpenTurn } from './open-turn.js';
import { LEASE_MS } from './turn-leases.service.js';

const MAX_WAIT_STEP_MS = 250;
/** The first attempt may use a cached assistant; each of the others loads it. */
const MAX_ATTEMPTS = 4;

/** What each message of a customer costs in a widget conversation. */
const PRICE = { kind: 'message', amountMicros: MESSAGE_PRICE_MICROS } as const;

/** A turn with nothing left to do. */
interface FinishedTurn {
  readonly reply: ChatReply;
}

/** Starts turns: checks the visitor, stores the message and holds its price. */
@Injectable()
export class TurnStartService {
  constructor(
    private readonly messages: CustomerMessagesService,
    private readonly origins: ConversationOriginsService,
    private readonly assistants: ChatAssistantsService,
    private readonly visitors: VisitorsService,
    private readonly visitorSpend: VisitorSpendService,
    private readonly testAllowance: TestAllowanceService,
    private readonly events: ConversationEventsPublisher,
    private readonly config: ChatConfig,
  ) {}

  /**
   * Locks the conversation for the turn and stores the message, unless the request has its reply already.
   *
   * @throws UnavailableError also when the assistant had changed at every attempt
   * @throws TestAllowanceError
   */
  async start(conversationId: string, content: string, visitor: Visitor): Promise<OpenTurn | FinishedTurn> {
    const origin = await this.origins.get(conversationId);
    const start = () => this.startFrom(origin, conversationId, content, visitor);
    return origin.type === 'test'
      ? this.testAllowance.spend(origin.userId, start, (turn) => !('reply' in turn))
      : start();
  }

  private async startFrom(
    { userId, assistantId, type, byVisitor, lookupVariables }: ConversationOrigin,
    conversationId: string,
    content: string,
    visitor: Visitor,
  ): Promise<OpenTurn | FinishedTurn> {
    const isTest = type === 'test';
    // The statement that begins the turn checks the version of the assistant. A refusal before it needs the current one.
    const known = this.assistants.recall(assistantId);
    let assistant = known && (isTest || this.visitors.admits(known.policy, visitor)) ? known : null;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      assistant ??= await this.assistants.find(userId, assistantId);
      if (!assistant) throw new ConversationNotFoundError();
      const { policy } = assistant;
      if (!isTest) this.visitors.checkOrigin(policy, visitor);
      const budget = isTest ? null : this.visitors.budgetOf(policy);
      const begin = this.begin.bind(this, conversationId, content, assistant, budget);
      const turn = await (isTest ? begin() : this.visitors.watch(policy, begin));
      if (turn !== 'outdated') {
        return 'reply' in turn ? turn : { ...turn, isTest, byVisitor, lookupVariables };
      }
      assistant = null;
    }
    // The assistant changes faster than it can be loaded. Nothing is stored: the same message may be sent again.
    throw new UnavailableError();
  }

  /** @param budget limits of the visitor that the turn's price is held within; null for a turn that costs nothing */
  private async begin(
    conversationId: string,
    content: string,
    assistant: ChatAssistant,
    budget: VisitorBudget | null,
  ): Promise<Omit<OpenTurn, 'isTest' | 'byVisitor' | 'lookupVariables'> | FinishedTurn | 'outdated'> {
    const deadline = performance.now() + this.config.turnTimeoutMs;
    for (let wait = 10; ; wait = Math.min(wait * 2, MAX_WAIT_STEP_MS)) {
      const token = randomUUID();
      const hold = budget && this.visitorSpend.termsOf(PRICE, budget);
      const begun = await this.messages.begin({
        conversationId,
        token,
        leaseMs: LEASE_MS,
        content,
        version: assistant.version,
        // A site that is switched off does not reactivate ended conversations; the owner's tests do.
        reactivates: assistant.reactivates && (budget === null || assistant.policy.answersOnSite),
        historyLimit: this.config.historyMessages,
        hold,
      });
      if (begun.outcome === 'replied') return { reply: begun.reply };
      if (begun.outcome === 'begun' || begun.outcome === 'stored') {
        this.events.message(assistant.policy.userId, conversationId, begun.messageId);
        return begun.outcome === 'stored'
          ? { reply: NO_REPLY }
          : { ...begun, conversationId, token, assistant };
      }
      if (begun.outcome === 'outdated') return 'outdated';
      if (begun.outcome !== 'busy') throw await this.toStartError(begun.outcome, assistant, budget);
      // Another process answers in this conversation.
      if (performance.now() >= deadline) throw new UnavailableError();
      await sleep(wait);
    }
  }

  private async toStartError(
    outcome: 'missing' | 'ended' | 'refused',
    { policy }: ChatAssistant,
    budget: VisitorBudget | null,
  ): Promise<Error> {
    if (outcome === 'missing') return new ConversationNotFoundError();
    if (outcome === 'ended' || budget === null) return new ConversationEndedError();
    return this.visitorSpend.explainFailedHold(policy.userId, PRICE.amountMicros, budget);
  }
}
