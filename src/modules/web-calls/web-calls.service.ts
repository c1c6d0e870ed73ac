import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../common/auth/opaque-token.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { LimitsConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type VisitorPolicy, visitorPolicyOf } from '../assistants/settings/visitor-policy.js';
import { DailySpendCapError, InsufficientBalanceError } from '../billing/billing.errors.js';
import { ChallengesService } from '../visitors/challenges.service.js';
import type { ChallengeSolution, Visitor } from '../visitors/visitor.js';
import { visitorVariables } from '../visitors/visitor-variables.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { CallNotAffordableError, ParallelCallsLimitError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import { CallCapacityService, type CallTerms } from '../active-calls/call-capacity.service.js';
import { CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { VoiceReadinessService, type VoiceState } from '../voice-workers/voice-readiness.service.js';
import {
  NoVoiceProcessError,
  VisitorCallsLimitError,
  VisitorCallsNotAllowedError,
  VoiceStartingError,
  WebCallAssistantNotFoundError,
  WebCallsUnavailableError,
} from './web-calls.errors.js';
import { type RoomInvitation, RoomInvitationsService } from './room-invitations.service.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** Name of the carrier of web calls, see WebCallCarrier. */
const CARRIER = 'web';
/** A browser has to connect within so many seconds. */
const TOKEN_LIFE_SECONDS = 60;

export interface OpenedWebCall {
  readonly callId: number;
  readonly token: string;
  readonly expiresAt: Date;
  /** Null where there is no server of rooms. */
  readonly room: RoomInvitation | null;
}

export interface VisitorCall {
  readonly assistantUuid: string;
  readonly variables: Record<string, unknown>;
  /** Null where none was sent. */
  readonly solution: ChallengeSolution | null;
}

interface NewWebCall {
  readonly assistant: AssistantDetails;
  readonly variables: Readonly<Record<string, unknown>>;
  /** A hash of the visitor's address; null for the owner. */
  readonly visitor: string | null;
  readonly budget?: CallTerms['budget'];
}

/** Calls from a browser, for owners and for visitors who know nothing but an assistant's uuid. */
@Injectable()
export class WebCallsService {
  constructor(
    private readonly calls: CallsService,
    private readonly webCalls: WebCallsRepository,
    private readonly capacity: CallCapacityService,
    private readonly assistants: AssistantsService,
    private readonly compiled: CallAssistantsService,
    private readonly visitors: VisitorsService,
    private readonly challenges: ChallengesService,
    private readonly transactions: Transactions,
    private readonly voice: VoiceProcessesService,
    private readonly readiness: VoiceReadinessService,
    private readonly limits: LimitsConfig,
    private readonly rooms: RoomInvitationsService,
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
    await this.checkAvailable();
    try {
      return await this.transactions.run((tx) => this.store({ assistant, variables, visitor: null }, tx));
    } catch (error) {
      const isMoney = error instanceof InsufficientBalanceError || error instanceof DailySpendCapError;
      throw isMoney ? new CallNotAffordableError(error) : error;
    }
  }

  /**
   * The same for somebody without a token, within what the assistant allows to visitors.
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
    await this.checkAvailable();
    const variables = visitorVariables(prepared.compiled, request.variables);
    const address = hashOf(policy, visitor);
    return this.visitors.watch(policy, () =>
      this.transactions.run(async (tx) => {
        if (policy.challengeRequired) await this.challenges.use(policy, request.solution, tx);
        await this.visitors.countOpening(policy, visitor, tx);
        const budget = this.visitors.budgetOf(policy);
        const opened = await this.store({ assistant, variables, visitor: address, budget }, tx);
        await this.checkParallel(policy, address, tx);
        return opened;
      }),
    );
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
    return isOnSite && ['ready', 'starting'].includes(await this.readiness.state());
  }

  /** A voice process is chosen when the browser connects; here it is seen that there is one. */
  private async checkAvailable(): Promise<void> {
    if ((await this.voice.countPlaces(CARRIER)) > 0) return;
    throw refusalFor(await this.readiness.state());
  }

  /** The account's limits are locked by now, so that of several at once each sees the others. */
  private async checkParallel({ assistantId }: VisitorPolicy, visitor: string, tx: Tx): Promise<void> {
    if (!this.limits.enabled) return;
    const open = await this.webCalls.countOpen(assistantId, visitor, tx);
    const { callsPerAssistant, callsPerAddress } = this.limits.visitors;
    if (open.ofAssistant > callsPerAssistant || open.ofAddress > callsPerAddress) {
      throw new VisitorCallsLimitError();
    }
  }

  private async store({ assistant, variables, visitor, budget }: NewWebCall, tx: Tx): Promise<OpenedWebCall> {
    const { id: assistantId, userId } = assistant;
    const call = await this.calls.open(
      userId,
      {
        type: 'web',
        assistantId,
        assistantName: assistant.name,
        attemptId: randomUUID(),
        carrier: CARRIER,
        inputVariables: { ...variables },
        variables: { ...variables },
        recordingEnabled: assistant.config.record,
      },
      tx,
    );
    const begun = { carrier: CARRIER, phoneNumberId: null };
    await this.capacity.take({ call, assistant }, begun, tx, { budget, lineIsFree: true });
    const token = makeToken('prosa_call_');
    const tokenHash = hashToken(token);
    const expiresAt = await this.webCalls.add(
      { callId: call.id, assistantId, tokenHash, visitor },
      TOKEN_LIFE_SECONDS,
      tx,
    );
    return { callId: call.id, token, expiresAt, room: this.rooms.invite(call.id, tokenHash, expiresAt) };
  }
}

/** Nobody is refused for good while a process may come. */
function refusalFor(state: VoiceState): DomainError {
  switch (state) {
    case 'ready':
      return new ParallelCallsLimitError('platform', 0);
    case 'starting':
      return new VoiceStartingError();
    case 'absent':
      return new NoVoiceProcessError();
    case 'none':
      return new WebCallsUnavailableError();
  }
}

/** No address is stored: the hash is of one assistant. */
function hashOf({ assistantUuid }: VisitorPolicy, { address }: Visitor): string {
  return createHash('sha256').update(`${assistantUuid} ${address}`).digest('base64url');
}
