import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import { visitorPolicyOf } from '../assistants/settings/visitor-policy.js';
import { AssistantLookupsService } from '../caller-lookups/assistant-lookups.service.js';
import type { CallerProfile } from '../caller-lookups/caller-profile.js';
import { InsufficientBalanceError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { MESSAGE_PRICE_MICROS } from '../billing/money.js';
import { type Challenge, ChallengesService } from '../visitors/challenges.service.js';
import type { ChallengeSolution, Visitor } from '../visitors/visitor.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { type ChatAssistant, ChatAssistantsService } from './turns/chat-assistants.service.js';
import type { ConversationType } from './conversation.entity.js';
import { ConversationWriterService } from './conversation-writer.service.js';
import { ConversationAssistantNotFoundError } from './conversations.errors.js';
import type { ConversationDetails } from './conversations.service.js';
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
    private readonly writer: ConversationWriterService,
    private readonly assistants: AssistantsService,
    private readonly chatAssistants: ChatAssistantsService,
    private readonly billing: BillingService,
    private readonly visitors: VisitorsService,
    private readonly challenges: ChallengesService,
    private readonly lookups: AssistantLookupsService,
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
      ? this.openForOwner(id, found, assistant, request)
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

  private async openForOwner(
    id: string,
    found: RuntimeAssistant,
    assistant: ChatAssistant,
    { type, variables }: NewConversation,
  ): Promise<ConversationDetails> {
    const caller = await this.profileOf(id, found, variables, false);
    return this.transactions.run((tx) =>
      this.writer.write(found, assistant.compiled, { ...caller, id, type, byVisitor: false }, tx),
    );
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
    const admit = async (tx: Tx) => {
      if (policy.challengeRequired) await this.challenges.use(policy, request.solution, tx);
      await this.visitors.countOpening(policy, visitor, tx);
    };
    const hasLookup = found.config.lookup_url !== null;
    // Who is refused is not looked up, and no transaction waits for the server that is asked.
    if (hasLookup) await this.visitors.watch(policy, () => this.transactions.run(admit));
    const caller = await this.profileOf(id, found, variables, true);
    return this.visitors.watch(policy, () =>
      this.transactions.run(async (tx) => {
        if (!hasLookup) await admit(tx);
        const talk = { ...caller, id, type: request.type, byVisitor: true };
        return this.writer.write(found, compiled, talk, tx);
      }),
    );
  }

  private profileOf(
    conversationId: string,
    assistant: RuntimeAssistant,
    variables: Readonly<Record<string, unknown>>,
    byVisitor: boolean,
  ): Promise<CallerProfile> {
    const opening = { type: 'conversation', callId: null, conversationId, variables, byVisitor } as const;
    return this.lookups.profileOf(assistant, opening);
  }
}
