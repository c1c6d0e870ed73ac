import { Injectable } from '@nestjs/common';
import type { TokenSum } from '../../common/figures/token-sum.js';
import type { CallRouting } from '../../common/phone/call-routing.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { RecordingSkip } from '../../runtime/call/recording-file.js';
import type { CallScreener } from '../../runtime/call/session/remote-party.js';
import { FileCleanupsService } from '../files/file-cleanups.service.js';
import { WebhooksService, type WebhookResponse } from '../webhooks/webhooks.service.js';
import { CallEventsPublisher } from './call-events-publisher.js';
import type { CallAnswerer, CallFacts, CallOrigin, NewCall, StoredCall } from './call-facts.js';
import {
  type CallMove,
  type CallStatus,
  type EndReason,
  isAllowed,
  isLive,
  LIVE_STATUSES,
  movesBetween,
} from './call-states.js';
import type { Call } from './call.entity.js';
import {
  CallLostError,
  CallNotFoundError,
  CallStillRunningError,
  IllegalCallMoveError,
} from './calls.errors.js';
import { CallsRepository } from './calls.repository.js';
import { CallListService, type ShownCall, webhookResponseOf } from './listing/call-list.service.js';
import type { LiveState } from './live/live-state.js';
import type { CallQuality } from './turns/call-quality.js';
import { type CallRecords, CallRecordsRepository } from './turns/call-records.repository.js';
import type { CallTurn } from './turns/call-turn.entity.js';
import { CallTurnsRepository } from './turns/call-turns.repository.js';

/** `campaignId` and `campaignName` go together: both, or none of them. */
export type CallDetails = Omit<NewCall, 'userId'>;

/** A call with what was said in it. */
export interface DetailedCall
  extends
    ShownCall,
    CallRecords,
    Pick<StoredCall, 'assistantId' | 'campaignId' | 'leadId' | 'inputVariables'> {
  readonly turns: readonly CallTurn[];
  readonly quality: CallQuality | null;
  readonly gatekeeper: CallScreener | null;
  readonly endReason: EndReason | null;
  readonly recordingSkipped: RecordingSkip | null;
  /** Null when the call is over. */
  readonly live: LiveState | null;
  /** Each null where no model has reported any. */
  readonly tokens: TokenSum;
}

@Injectable()
export class CallsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly turns: CallTurnsRepository,
    private readonly records: CallRecordsRepository,
    private readonly lists: CallListService,
    private readonly webhooks: WebhooksService,
    private readonly events: CallEventsPublisher,
    private readonly cleanups: FileCleanupsService,
    private readonly transactions: Transactions,
  ) {}

  /** A call with what was said in it. @throws CallNotFoundError */
  async getWithTurns(userId: number, id: number): Promise<DetailedCall> {
    const call = await this.get(userId, id);
    const [[shown], turns, records, live] = await Promise.all([
      this.lists.shown(userId, [call]),
      this.turns.list(userId, id),
      this.records.find(userId, id),
      isLive(call.status) ? this.lists.liveStates(userId, [id]) : null,
    ]);
    if (!shown) throw new CallNotFoundError();
    const { assistantId, campaignId, leadId, inputVariables } = call;
    const { quality, gatekeeper, endReason, recordingSkipped } = call;
    const { inputTokens, cachedInputTokens, outputTokens } = call;
    const tokens = { inputTokens, cachedInputTokens, outputTokens };
    const origin = { assistantId, campaignId, leadId, inputVariables };
    const facts = { quality, gatekeeper, endReason, recordingSkipped };
    return { ...shown, ...origin, turns, ...records, ...facts, live: live?.get(id) ?? null, tokens };
  }

  /** Counts what models used for a call that this process has no more. */
  addTokens({ userId, id }: Pick<Call, 'userId' | 'id'>, tokens: TokenSum): Promise<void> {
    return this.calls.addTokens(userId, id, tokens);
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
    if (isDeleted) return this.events.changed({ userId, id });
    await this.get(userId, id);
    throw new CallStillRunningError();
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

  /** Whether the account calls the number (E.164), and the call is not answered yet. */
  isBeingPlaced(userId: number, phoneNumber: string, tx: Tx): Promise<boolean> {
    return this.calls.isBeingPlaced(userId, phoneNumber, tx);
  }

  /** An id for a call that is opened later, or never. */
  reserveId(): Promise<number> {
    return this.calls.reserveId();
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
   * Records a lookup of the caller, for a call that has not begun.
   *
   * @param variables in place of those of the call; null: they stay
   */
  setLookup(
    { userId, id }: Pick<Call, 'userId' | 'id'>,
    routing: CallRouting,
    variables: Readonly<Record<string, unknown>> | null,
    tx: Tx,
  ): Promise<void> {
    return this.calls.setLookup(userId, id, routing, variables, tx);
  }

  /** Records who talks to a caller who has waited, or how the wait has ended. @throws CallLostError when the call is over */
  async setAnswerer(userId: number, id: number, answerer: CallAnswerer, tx: Tx): Promise<void> {
    if (!(await this.calls.setAnswerer(userId, id, answerer, tx))) throw new CallLostError();
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
      this.events.changed({ userId, id });
    }
    return isMoved;
  }

  /**
   * Moves a call forward through the states between. A call that is further on stays there, as an adopted one may be.
   *
   * @returns the state of the call
   * @throws CallLostError when another process was faster
   */
  async advance(
    { userId, id, status }: Pick<Call, 'userId' | 'id' | 'status'>,
    to: 'ringing' | 'in-progress',
    answeredAt?: Date | null,
  ): Promise<CallStatus> {
    const order: readonly CallStatus[] = LIVE_STATUSES;
    if (order.indexOf(status) >= order.indexOf(to)) return status;
    for (const move of movesBetween(status, to)) {
      const facts = move.to === 'in-progress' && answeredAt ? { answeredAt } : {};
      if (!(await this.move(userId, id, move, facts))) throw new CallLostError();
    }
    return to;
  }

  /** @throws CallNotFoundError */
  async checkExists(userId: number, id: number): Promise<void> {
    await this.get(userId, id);
  }

  /** Of whichever account: for work of the platform itself. */
  findById(id: number): Promise<StoredCall | null> {
    return this.calls.findById(id);
  }

  /** A call with its lead and its campaign, as webhooks show them. */
  async findWithOrigin(
    userId: number,
    id: number,
    tx: Tx,
  ): Promise<{ readonly call: StoredCall; readonly origin: CallOrigin } | null> {
    const call = await this.calls.find(userId, id, tx);
    return call && { call, origin: await this.calls.originOf(call, tx) };
  }

  /** Deletes a call that was never sent, as if it had not been made. */
  deleteUnmade(id: number, tx: Tx): Promise<void> {
    return this.calls.deleteUnmade(id, tx);
  }

  /** @throws CallNotFoundError */
  async get(userId: number, id: number): Promise<StoredCall> {
    return (await this.calls.find(userId, id)) ?? CallNotFoundError.throw();
  }
}
