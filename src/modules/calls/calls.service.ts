import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { TokenSum } from '../../common/figures/token-sum.js';
import { AccountsService } from '../accounts/accounts.service.js';
import {
  AssistantHistoriesService,
  type AssistantHistory,
} from '../assistants/assistant-histories.service.js';
import { WebhooksService, type WebhookResponse } from '../webhooks/webhooks.service.js';
import { CallListRepository } from './listing/call-list.repository.js';
import type { CallFilter, ListedCall } from './listing/call-list.statements.js';
import { CallNewsService } from './call-events-publisher.service.js';
import { type CallMove, type EndReason, isAllowed } from './call-states.js';
import type { Call } from './call.entity.js';
import {
  CallNotFoundError,
  CallOverError,
  CallStillRunningError,
  IllegalCallMoveError,
} from './calls.errors.js';
import { type CallFacts, CallsRepository, type NewCall } from './calls.repository.js';
import { endCallsJob } from '../active-calls/ends/end-calls.job.js';
import { ActiveCallsRepository } from '../active-calls/active-calls.repository.js';
import { JobsService } from '../../queues/jobs.service.js';
import { FileCleanupsService } from '../files/file-cleanups.service.js';
import { ANSWER_LIFE_MS, RecordingLinksService } from './recordings/recording-links.service.js';
import type { Gatekeeper } from '../../runtime/call/answerer/far-end.js';
import type { CallQuality } from './turns/call-quality.js';
import type { CallTurn } from './turns/call-turn.entity.js';
import type { CallFunctionCall } from './turns/call-function-call.js';
import { CallFunctionCallsRepository } from './turns/call-function-calls.repository.js';
import { CallTurnsRepository } from './turns/call-turns.repository.js';
import { isInternational, toStoredNumber } from './customer-number.js';

/** `campaignId` and `campaignName` go together: both, or none of them. */
export type CallDetails = Omit<NewCall, 'userId'>;

/** A call as its owner sees it. */
export type ShownCall = Omit<ListedCall, 'recordingKey'> & {
  /** Path and query of the link to its recording; null where there is none. */
  readonly recordingLink: string | null;
};

/** A call with what was said in it. */
export interface DetailedCall extends ShownCall {
  readonly turns: readonly CallTurn[];
  readonly functionCalls: readonly CallFunctionCall[];
  readonly quality: CallQuality | null;
  readonly gatekeeper: Gatekeeper | null;
  readonly endReason: EndReason | null;
  /** Each null where no model has told any. */
  readonly tokens: TokenSum;
}

/** Each is a statement of its own, because a million calls would outlast the time a statement has. */
const DETACH_BATCH = 5_000;

@Injectable()
export class CallsService implements AssistantHistory, OnModuleInit {
  constructor(
    private readonly calls: CallsRepository,
    private readonly lists: CallListRepository,
    private readonly activeCalls: ActiveCallsRepository,
    private readonly turns: CallTurnsRepository,
    private readonly functionCalls: CallFunctionCallsRepository,
    private readonly accounts: AccountsService,
    private readonly webhooks: WebhooksService,
    private readonly news: CallNewsService,
    private readonly jobs: JobsService,
    private readonly links: RecordingLinksService,
    private readonly cleanups: FileCleanupsService,
    private readonly transactions: Transactions,
    private readonly histories: AssistantHistoriesService,
  ) {}

  onModuleInit(): void {
    this.histories.add(this);
  }

  /** One page, newest first. The phone number may be written in any usual way. */
  async list(userId: number, filter: CallFilter, page: PageRequest): Promise<PageOf<ShownCall>> {
    const { rows, total } = await this.lists.page(userId, await this.storedFilter(userId, filter), page);
    return { rows: await this.shown(userId, rows), total };
  }

  /** A filter with the phone number as calls hold it. */
  async storedFilter(userId: number, filter: CallFilter): Promise<CallFilter> {
    const { phoneNumber } = filter;
    return phoneNumber === undefined
      ? filter
      : { ...filter, phoneNumber: await this.toStored(userId, phoneNumber) };
  }

  /** A call with what was said in it. @throws CallNotFoundError */
  async getWithTurns(userId: number, id: number): Promise<DetailedCall> {
    const call = await this.find(userId, id);
    const [[shown = withLink(call, null)], turns, functionCalls] = await Promise.all([
      this.shown(userId, [call]),
      this.turns.list(userId, id),
      this.functionCalls.list(userId, id),
    ]);
    const { quality, gatekeeper, endReason, inputTokens, cachedInputTokens, outputTokens } = call;
    const tokens = { inputTokens, cachedInputTokens, outputTokens };
    return { ...shown, turns, functionCalls, quality, gatekeeper, endReason, tokens };
  }

  /** Counts what models used for a call that this process has no more. */
  addTokens({ userId, id }: Pick<Call, 'userId' | 'id'>, tokens: TokenSum): Promise<void> {
    return this.calls.addTokens(userId, id, tokens);
  }

  /**
   * Ends a call that is on: it is not dialled any more, or the customer hears the line go dead. The end is on record when
   * this returns, and comes within seconds.
   *
   * @throws CallNotFoundError | CallOverError
   */
  async hangUp(userId: number, id: number): Promise<void> {
    await this.find(userId, id);
    if (!(await this.activeCalls.requestEnd(userId, id))) throw new CallOverError();
    this.jobs.wake(endCallsJob, {});
  }

  /** Ends all calls of the account that are on. Returns how many something is left to do for. */
  async hangUpAll(userId: number): Promise<number> {
    const left = await this.activeCalls.requestAllEnds(userId);
    if (left > 0) this.jobs.wake(endCallsJob, {});
    return left;
  }

  /**
   * Deletes a call for good, with its transcript, its recording and all that is known of it.
   *
   * @throws CallNotFoundError | CallStillRunningError
   */
  async delete(userId: number, id: number): Promise<void> {
    const isDeleted = await this.transactions.run(async (tx) => {
      const deleted = await this.calls.delete(userId, id, tx);
      if (deleted?.recordingKey) await this.cleanups.discard([deleted.recordingKey], tx);
      return deleted !== null;
    });
    if (isDeleted) return this.news.changed({ userId, id });
    await this.find(userId, id);
    throw new CallStillRunningError();
  }

  /** Parts all calls from a campaign that is about to be deleted: they stay, as the record of who was called. */
  async detachCampaign(userId: number, campaignId: number): Promise<void> {
    while (await this.calls.detachSomeOfCampaign(userId, campaignId, DETACH_BATCH));
  }

  /** The same for an assistant. */
  async detachAssistant(userId: number, assistantId: number): Promise<void> {
    while (await this.calls.detachSomeOfAssistant(userId, assistantId, DETACH_BATCH));
  }

  /** Keeps what receivers of webhooks answered last, whose deliveries are about to be forgotten. */
  async keepWebhookResponses(
    responses: readonly { readonly userId: number; readonly response: WebhookResponse }[],
    tx: Tx,
  ): Promise<void> {
    if (responses.length === 0) return;
    await this.calls.keepWebhookResponses(
      responses.map(({ userId, response }) => ({
        user_id: userId,
        id: Number(response.subjectId),
        response: webhookResponseOf(response),
      })),
      tx,
    );
  }

  /** Whether the account calls the number (E.164), and nobody has answered yet. */
  isBeingPlaced(userId: number, phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.calls.isBeingPlaced(userId, phoneNumber, tx);
  }

  /** Records a new call, as `initiated`. */
  open(userId: number, call: CallDetails, tx?: Tx): Promise<Call> {
    return this.calls.add({ ...call, userId }, tx);
  }

  /** The same for several calls. */
  openAll(userId: number, calls: readonly CallDetails[], tx: Tx): Promise<Call[]> {
    return this.calls.addAll(
      calls.map((call) => ({ ...call, userId })),
      tx,
    );
  }

  /**
   * Moves a call on and records what is known with it. False when the call is not (or not any more) in the state the
   * move begins with: then another was faster, and nothing is changed.
   *
   * @throws IllegalCallMoveError when no call may move so
   */
  async move(userId: number, id: number, move: CallMove, facts: CallFacts = {}, tx?: Tx): Promise<boolean> {
    if (!isAllowed(move)) throw new IllegalCallMoveError(move);
    const isMoved = await this.calls.transition(userId, id, move, facts, tx);
    if (isMoved && !tx) {
      this.webhooks.wakeFor(userId);
      this.news.changed({ userId, id });
    }
    return isMoved;
  }

  private async find(userId: number, id: number): Promise<Call> {
    const call = await this.calls.find(userId, id);
    if (!call) throw new CallNotFoundError();
    return call;
  }

  /** With what receivers of webhooks answered last, which the deliveries know, and links to the recordings. */
  private async shown(userId: number, calls: readonly ListedCall[]): Promise<ShownCall[]> {
    const responses = await this.webhooks.lastCallResponses(
      userId,
      calls.map(({ id }) => String(id)),
    );
    return calls.map((call) => {
      const response = responses.get(String(call.id));
      const shown = withLink(call, this.linkOf(call));
      return response ? { ...shown, webhookResponse: webhookResponseOf(response) } : shown;
    });
  }

  private linkOf({ id, recordingEnabled, recordingKey }: ListedCall): string | null {
    return recordingEnabled && recordingKey !== null ? this.links.linkTo(id, ANSWER_LIFE_MS) : null;
  }

  private async toStored(userId: number, phoneNumber: string): Promise<string> {
    if (isInternational(phoneNumber)) return toStoredNumber(phoneNumber);
    const { defaultCountry } = await this.accounts.get(userId);
    return toStoredNumber(phoneNumber, defaultCountry);
  }
}

function withLink({ recordingKey: _, ...call }: ListedCall, recordingLink: string | null): ShownCall {
  return { ...call, recordingLink };
}

function webhookResponseOf({ kind, statusCode, responseBody, error, finishedAt }: WebhookResponse) {
  return { kind, status_code: statusCode, body: responseBody, error, received_at: finishedAt.toISOString() };
}
