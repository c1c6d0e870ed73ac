import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import { visitorPolicyOf } from '../assistants/settings/visitor-policy.js';
import { InsufficientBalanceError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { MESSAGE_PRICE_MICROS } from '../billing/money.js';
import { type Challenge, ChallengesService } from '../visitors/challenges.service.js';
import type { ChallengeSolution, Visitor } from '../visitors/visitor.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { type ChatAssistant, ChatAssistantsService } from './turns/chat-assistants.service.js';
import type { Conversation, ConversationType } from './conversation.entity.js';
import { ConversationAssistantNotFoundError } from './conversations.errors.js';
import { ConversationsRepository } from './conversations.repository.js';
import { type ConversationDetails, ConversationsService } from './conversations.service.js';
import { visitorVariables } from '../visitors/visitor-variables.js';

export interface NewConversation {
  readonly assistantUuid: string;
  readonly type: ConversationType;
  readonly variables: Record<string, unknown>;
  /** Null where none was sent. */
  readonly solution: ChallengeSolution | null;
}

/** Opens conversations, for owners and for visitors who know nothing but an assistant's uuid. */
@Injectable()
export class ConversationOpeningsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly reading: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly chatAssistants: ChatAssistantsService,
    private readonly billing: BillingService,
    private readonly visitors: VisitorsService,
    private readonly challenges: ChallengesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Opens a conversation; its history is the assistant's first words. A widget conversation needs no token but a
   * balance for one message, and an assistant that is on the site. A test conversation is free, and for the
   * assistant's owner alone. For others the assistant's limits for visitors apply.
   *
   * @throws ConversationAssistantNotFoundError | UnauthorizedError | InsufficientBalanceError | ValidationFailedError
   * @throws OriginNotAllowedError | ChallengeRequiredError | ChallengeInvalidError | VisitorLimitError for visitors
   */
  async open(visitor: Visitor, request: NewConversation): Promise<ConversationDetails> {
    const { callerId, keyAccountId } = visitor;
    if (request.type === 'test' && callerId === null) throw new UnauthorizedError();
    const found =
      request.type === 'widget'
        ? await this.assistants.findOnSite(request.assistantUuid)
        : await this.assistants.findByUuid(request.assistantUuid);
    const isVisible = found && (request.type === 'widget' || found.userId === callerId);
    if (!isVisible || (keyAccountId !== null && found.userId !== keyAccountId))
      throw new ConversationAssistantNotFoundError();
    if (request.type === 'widget' && !(await this.billing.canAfford(found.userId, MESSAGE_PRICE_MICROS))) {
      throw new InsufficientBalanceError();
    }
    const assistant = await this.chatAssistants.prepare(found);
    const id = randomUUID();
    return found.userId === callerId
      ? this.transactions.run((tx) => this.store(id, found, assistant, { ...request, byVisitor: false }, tx))
      : this.openForVisitor(id, found, assistant, visitor, request);
  }

  /** Opens a test conversation with an assistant of the account. @throws ConversationAssistantNotFoundError */
  openTest(
    userId: number,
    assistantUuid: string,
    variables: Record<string, unknown> = {},
  ): Promise<ConversationDetails> {
    const owner = {
      callerId: userId,
      keyAccountId: null,
      address: '',
      origin: null,
      showAnswerTo: () => undefined,
    };
    return this.open(owner, { assistantUuid, type: 'test', variables, solution: null });
  }

  /** The same by the assistant's id. @throws ConversationAssistantNotFoundError */
  async openTestWith(
    userId: number,
    assistantId: number,
    variables: Record<string, unknown> = {},
  ): Promise<ConversationDetails> {
    const assistant = await this.assistants.find(userId, assistantId);
    if (!assistant) throw new ConversationAssistantNotFoundError();
    return this.openTest(userId, assistant.uuid, variables);
  }

  /** @throws ConversationAssistantNotFoundError | OriginNotAllowedError */
  async issueChallenge(visitor: Visitor, assistantUuid: string): Promise<Challenge> {
    const found = await this.assistants.findOnSite(assistantUuid);
    if (!found) throw new ConversationAssistantNotFoundError();
    const policy = visitorPolicyOf(found);
    this.visitors.checkOrigin(policy, visitor);
    return this.challenges.issue(policy);
  }

  private async openForVisitor(
    id: string,
    found: RuntimeAssistant,
    assistant: ChatAssistant,
    visitor: Visitor,
    request: NewConversation,
  ): Promise<ConversationDetails> {
    const { policy, compiled } = assistant;
    this.visitors.checkOrigin(policy, visitor);
    const variables = visitorVariables(compiled, request.variables);
    return this.visitors.watch(policy, () =>
      this.transactions.run(async (tx) => {
        if (policy.challengeRequired) await this.challenges.use(policy, request.solution, tx);
        await this.visitors.countOpening(policy, visitor, tx);
        return this.store(id, found, assistant, { ...request, variables, byVisitor: true }, tx);
      }),
    );
  }

  private async store(
    id: string,
    { id: assistantId, userId }: RuntimeAssistant,
    { compiled }: ChatAssistant,
    { type, variables, byVisitor }: NewConversation & Pick<Conversation, 'byVisitor'>,
    tx: Tx,
  ): Promise<ConversationDetails> {
    const greeting = compiled.greeting(compiled.variablesOf({ variables, now: new Date() }));
    await this.conversations.add({ id, userId, assistantId, type, variables, byVisitor }, tx);
    if (greeting !== '') {
      await this.conversations.addMessage(
        { conversationId: id, userId, role: 'assistant', author: 'ai', content: greeting },
        tx,
      );
    }
    return this.reading.read(id, tx);
  }
}
