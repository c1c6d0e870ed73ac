import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type VisitorPolicy, visitorPolicyOf } from '../assistants/settings/visitor-policy.js';
import { isMoneyShortage } from '../billing/billing.errors.js';
import { ChallengesService } from '../visitors/challenges.service.js';
import type { ChallengeSolution, Visitor } from '../visitors/visitor.js';
import { visitorVariables } from '../visitors/visitor-variables.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { CallNotAffordableError } from '../calls/calls.errors.js';
import { CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { VisitorCallsNotAllowedError, WebCallAssistantNotFoundError } from './web-calls.errors.js';
import { WebCallAvailabilityService } from './web-call-availability.service.js';
import { WebCallLookupsService } from './web-call-lookups.service.js';
import { type OpenedWebCall, WebCallOpeningsService } from './web-call-openings.service.js';

export interface VisitorCall {
  readonly assistantUuid: string;
  readonly variables: Record<string, unknown>;
  /** Null where none was sent. */
  readonly solution: ChallengeSolution | null;
}

/** Calls from a browser, for owners and for visitors who know nothing but an assistant's uuid. */
@Injectable()
export class WebCallsService {
  constructor(
    private readonly openings: WebCallOpeningsService,
    private readonly lookups: WebCallLookupsService,
    private readonly availability: WebCallAvailabilityService,
    private readonly assistants: AssistantsService,
    private readonly compiled: CallAssistantsService,
    private readonly visitors: VisitorsService,
    private readonly challenges: ChallengesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Writes a call with an assistant of the account, active or not; it begins when the browser connects.
   *
   * @throws AssistantNotFoundError | CallNotAffordableError | ParallelCallsLimitError | WebCallsUnavailableError
   * @throws VoiceStartingError | NoVoiceProcessError
   */
  async openOwn(
    userId: number,
    assistantId: number,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<OpenedWebCall> {
    const assistant = await this.assistants.get(userId, assistantId);
    await this.availability.check();
    const opened = await this.writeOwn(assistant, variables);
    await this.lookups.lookUp(assistant, { callId: opened.callId, variables, byVisitor: false });
    return opened;
  }

  /**
   * The same for a visitor without a token, within what the assistant allows to visitors.
   *
   * @throws WebCallAssistantNotFoundError | WebCallsUnavailableError | VoiceStartingError | NoVoiceProcessError
   * @throws OriginNotAllowedError | ChallengeRequiredError
   * @throws VisitorCallsNotAllowedError | ChallengeInvalidError | VisitorLimitError | VisitorCallsLimitError | InsufficientBalanceError
   * @throws ParallelCallsLimitError | ValidationFailedError
   */
  async openForVisitor(visitor: Visitor, request: VisitorCall): Promise<OpenedWebCall> {
    const assistant = await this.assistants.findOnSite(request.assistantUuid);
    const prepared =
      assistant && (await this.compiled.find({ userId: assistant.userId, assistantId: assistant.id }));
    if (!assistant || !prepared) throw new WebCallAssistantNotFoundError();
    const policy = visitorPolicyOf(assistant);
    this.visitors.checkOrigin(policy, visitor);
    if (!policy.callsEnabled) throw new VisitorCallsNotAllowedError();
    await this.availability.checkForVisitor();
    const variables = visitorVariables(prepared.compiled, request.variables);
    const address = hashOf(policy, visitor);
    const opened = await this.visitors.watch(policy, () =>
      this.transactions.run(async (tx) => {
        if (policy.challengeRequired) await this.challenges.use(policy, request.solution, tx);
        await this.visitors.countOpening(policy, visitor, tx);
        const budget = this.visitors.budgetOf(policy);
        return this.openings.write({ assistant, variables, visitor: address, budget }, tx);
      }),
    );
    await this.lookups.lookUp(assistant, { callId: opened.callId, variables, byVisitor: true });
    return opened;
  }

  /**
   * Whether a page may offer calls: the owner allows them, the assistant is on the site, and some process of this installation takes
   * them, or is about to: a page waits for it. Limits are not looked at. Reads without an origin are let through, as a browser
   * sends none from a page of this server.
   *
   * @throws WebCallAssistantNotFoundError | OriginNotAllowedError
   */
  async isOffered(visitor: Visitor, assistantUuid: string): Promise<boolean> {
    const assistant = await this.assistants.findByUuid(assistantUuid);
    if (!assistant) throw new WebCallAssistantNotFoundError();
    const policy = visitorPolicyOf(assistant);
    if (visitor.origin !== null) this.visitors.checkOrigin(policy, visitor);
    const isOnSite = policy.answersOnSite && policy.callsEnabled;
    return isOnSite && this.availability.isExpected();
  }

  private async writeOwn(
    assistant: AssistantDetails,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<OpenedWebCall> {
    try {
      return await this.transactions.run((tx) =>
        this.openings.write({ assistant, variables, visitor: null }, tx),
      );
    } catch (error) {
      throw isMoneyShortage(error) ? new CallNotAffordableError(error) : error;
    }
  }
}

/** No address is stored: the hash is of one assistant. */
function hashOf({ assistantUuid }: VisitorPolicy, { address }: Visitor): string {
  return createHash('sha256').update(`${assistantUuid} ${address}`).digest('base64url');
}
