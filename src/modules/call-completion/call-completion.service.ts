import { Injectable } from '@nestjs/common';
import { CallsConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { NO_TOKENS, type TokenSum } from '../../common/figures/token-sum.js';
import type { Evaluation } from '../../runtime/call/evaluation/evaluation.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { BillingService } from '../billing/billing.service.js';
import type { TalkedStatus, UnansweredStatus } from './call-outcomes.js';
import { costOf, totalOf } from '../active-calls/capacity/call-prices.js';
import { CallEndEventsService } from './call-end-events.service.js';
import { CallEndsService } from '../active-calls/ends/call-ends.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { type CallStatus, movesBetween } from '../calls/call-states.js';
import type { CallFacts, StoredCall } from '../calls/call-facts.js';
import { CallLostError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import { CallTurnsService } from '../calls/turns/call-turns.service.js';
import type { LiveTurns } from '../active-calls/live-turns.js';

/** What is known of a talk that is over. */
export interface Talk {
  readonly status: TalkedStatus;
  /** In the carrier's time, from the answer. */
  readonly seconds: number;
  readonly facts: Pick<
    CallFacts,
    'answeredBy' | 'gatekeeper' | 'endReason' | 'transcript' | 'variables' | 'quality' | 'tokens'
  >;
  /** A recording is about to be stored, or a tool has not answered. What comes after, such as the webhook, waits for `settled`. */
  readonly isUnsettled?: boolean;
}

/** The process that has talked on the call. */
interface TalkOwner {
  /** Null: no process has, so that nothing was said. */
  readonly token: string | null;
  readonly turns: Pick<LiveTurns, 'unwritten'>;
}

/**
 * The ends of calls. Each is one transaction with all that belongs to it: the state, the money, the webhook. Of several
 * processes that try, one succeeds.
 */
@Injectable()
export class CallCompletionService {
  constructor(
    private readonly calls: CallsService,
    private readonly ends: CallEndsService,
    private readonly turns: CallTurnsService,
    private readonly assistants: AssistantsService,
    private readonly billing: BillingService,
    private readonly endEvents: CallEndEventsService,
    private readonly transactions: Transactions,
    private readonly prices: CallsConfig,
  ) {}

  /** The call was not answered: nothing is charged. @throws CallLostError */
  async unanswered(
    running: RunningCall,
    status: UnansweredStatus,
    token: string | null,
    facts: Pick<CallFacts, 'dialInDoubt'> = {},
  ): Promise<void> {
    const { call, active } = running;
    if (await this.endQuietly(call, status, token, facts)) return this.endEvents.callEnded(call, false);
    const isAnnounced = await this.transactions.run(async (tx) => {
      const ended = await this.ends.endUnanswered(call.id, token, tx);
      if (!ended) throw new CallLostError();
      await this.move(call, status, facts, tx);
      const isWebhookWanted = await this.endEvents.announce(call, ended, tx);
      // Nothing is charged and no webhook is sent: after a crash of the database the sweep repeats it.
      if (!isWebhookWanted) await this.transactions.commitAsynchronously(tx);
      if (active.holdId !== null) await this.billing.void(active.holdId, tx);
      return isWebhookWanted;
    });
    await this.endEvents.callEnded(call, isAnnounced);
  }

  /**
   * Ends a call in one statement, together with others of its account that end at the same time. False, and nothing
   * has happened, where a webhook is wanted, or the call is not the token's any more.
   */
  private async endQuietly(
    { id: callId, userId, status }: StoredCall,
    to: UnansweredStatus,
    token: string | null,
    { dialInDoubt: isInDoubt = false }: Pick<CallFacts, 'dialInDoubt'>,
  ): Promise<boolean> {
    const [move, ...more] = movesBetween(status, to);
    // One that rang without our knowing has rung first.
    if (!move || more.length > 0) return false;
    return this.ends.endQuietly(userId, { callId, move, token, isInDoubt });
  }

  /** The talk is over: it is charged, and evaluated where that is wished, once it is recorded. @throws CallLostError */
  async talked({ call, active }: RunningCall, talk: Talk, { token, turns }: TalkOwner): Promise<void> {
    const next = await this.transactions.run(async (tx) => {
      if (token !== null) await this.turns.write(call.id, token, turns.unwritten, tx);
      if (!(await this.ends.endTalk(call.id, token, tx))) throw new CallLostError();
      // The money is held for the longest duration; what the carrier counts beyond it is not the account's.
      const seconds = Math.min(talk.seconds, active.maxDurationSeconds);
      const prices = {
        pricePerMinuteMicros: active.pricePerMinuteMicros ?? this.prices.pricePerMinuteMicros,
        carrierPricePerMinuteMicros:
          active.carrierPricePerMinuteMicros ?? this.prices.carrierPricePerMinuteMicros,
      };
      const cost = costOf(seconds, prices, active.waitedSeconds);
      await this.move(
        call,
        talk.status,
        {
          ...talk.facts,
          durationSeconds: seconds,
          carrierCostMicros: cost.carrierMicros,
          aiCostMicros: cost.aiMicros,
        },
        tx,
      );
      const isLeft = talk.isUnsettled === true || (await this.isEvaluated(call, tx));
      const { userId, id, assistantId } = call;
      const isAnnounced =
        !isLeft && (await this.complete({ userId, id, assistantId, status: talk.status }, {}, tx));
      // Last, because from here on all calls of the account wait for the end of the transaction.
      if (active.holdId !== null) await this.billing.capturePart(active.holdId, totalOf(cost), tx);
      return { isLeft, isAnnounced };
    });
    if (!next.isLeft) await this.endEvents.callEnded(call, next.isAnnounced);
    else this.endEvents.talkEnded(call);
    if (next.isLeft && !talk.isUnsettled) this.endEvents.settled(call);
  }

  /**
   * The work after the call is done. False when that was so before.
   *
   * @param tokens what it took
   */
  async evaluated(call: StoredCall, evaluation: Evaluation, tokens: TokenSum = NO_TOKENS): Promise<boolean> {
    try {
      const isAnnounced = await this.transactions.run((tx) =>
        this.complete(call, { evaluation: { ...evaluation }, tokens }, tx),
      );
      await this.endEvents.callEnded(call, isAnnounced);
      return true;
    } catch (error) {
      if (error instanceof CallLostError) return false;
      throw error;
    }
  }

  /** Returns whether a webhook is to be sent. */
  private async complete(
    call: Pick<StoredCall, 'userId' | 'id' | 'status' | 'assistantId'>,
    facts: CallFacts,
    tx: Tx,
  ): Promise<boolean> {
    const ended = await this.ends.end(call.id, tx);
    if (!ended) throw new CallLostError();
    await this.move(call, 'completed', facts, tx);
    return this.endEvents.announce(call, ended, tx);
  }

  private async move(
    { userId, id, status }: Pick<StoredCall, 'userId' | 'id' | 'status'>,
    to: CallStatus,
    facts: CallFacts,
    tx: Tx,
  ): Promise<void> {
    const moves = movesBetween(status, to);
    for (const move of moves) {
      const known = move === moves.at(-1) ? facts : {};
      if (!(await this.calls.move(userId, id, move, known, tx))) throw new CallLostError();
    }
  }

  private async isEvaluated({ userId, assistantId }: StoredCall, tx: Tx): Promise<boolean> {
    const config = assistantId === null ? null : await this.assistants.findConfig(userId, assistantId, tx);
    return config?.post_call_evaluation ?? false;
  }
}
