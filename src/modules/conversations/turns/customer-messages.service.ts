import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../database/transactions.js';
import type { FunctionCall } from '../../../runtime/chat-turn.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import { ConversationsRepository } from '../conversations.repository.js';
import {
  type BegunTurn,
  type NewTurn,
  type RefusedTurn,
  type StoredTurn,
  type Turn,
  type TurnAnswer,
  type TurnBeginning,
  TurnsRepository,
} from './turns.repository.js';

export interface ChatReply {
  /** Empty when the AI is off: the message was stored without an answer. */
  readonly message: string;
  readonly functionCalls: readonly FunctionCall[];
}

/** An earlier run of the same request has come to its reply. */
export interface RepliedTurn {
  readonly outcome: 'replied';
  readonly messageId: number;
  readonly reply: ChatReply;
}

type KeptTurn = BegunTurn | StoredTurn | RepliedTurn;

export const NO_REPLY: ChatReply = { message: '', functionCalls: [] };
/** Recorded in place of an answer's id; keys of earlier releases contain it too. */
const UNANSWERED = 'nobody';

/** Rolls the transaction of a turn back that could not begin. */
class TurnNotBegunSignal extends Error {
  constructor(readonly beginning: RefusedTurn) {
    super(`turn not begun: ${beginning.outcome}`);
  }
}

/**
 * Customers' messages, each stored once for its Idempotency-Key. A repetition of a request that broke off continues
 * with the stored message, or gets the stored answer. Without a key each step of a turn is a single statement. With
 * one it is a transaction of that statement and of the key's record.
 *
 * Locks are taken in one order: the conversation, then the key. Otherwise a run and the one that takes its key over
 * would wait for each other.
 */
@Injectable()
export class CustomerMessagesService {
  constructor(
    private readonly turns: TurnsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Begins the turn of a message, or finds what an earlier run of the same request replied.
   *
   * @throws RequestStillRunningError when another process has taken the request over
   */
  async begin(turn: NewTurn): Promise<TurnBeginning | RepliedTurn> {
    if (!this.effect.isKeyed) return this.turns.begin(turn);
    try {
      return await this.transactions.run((tx) => this.beginOnce(turn, tx));
    } catch (error) {
      if (error instanceof TurnNotBegunSignal) return error.beginning;
      throw error;
    }
  }

  /**
   * Stores the answer of a turn and charges it. Returns the answer's id; null, and nothing is kept, when the turn has
   * lost its conversation or its hold.
   *
   * @throws RequestStillRunningError when another process has taken the request over
   */
  async finish(turn: Turn, answer: TurnAnswer): Promise<number | null> {
    const { handoff } = answer;
    if (!this.effect.isKeyed && !handoff) return this.turns.finish(turn, answer);
    return this.transactions.run(async (tx) => {
      const answerId = await this.turns.finish(turn, answer, tx);
      if (answerId === null) return null;
      if (handoff) await this.turns.attribute(turn.conversationId, answerId, handoff, tx);
      if (this.effect.isKeyed) await this.rememberAnswer(turn.messageId, answerId, tx);
      return answerId;
    });
  }

  private async beginOnce(turn: NewTurn, tx: Tx): Promise<KeptTurn> {
    await this.turns.lock(turn.conversationId, tx);
    const kept = await this.effect.once<KeptTurn>(tx, {
      make: () => this.beginOrRollBack(turn, tx),
      referenceOf: ({ messageId }) => String(messageId),
      recall: async (reference) => {
        const [id, answer] = reference.split('/');
        const messageId = Number(id);
        if (answer === undefined) return this.beginOrRollBack({ ...turn, storedMessageId: messageId }, tx);
        const reply = await this.replyOf(turn.conversationId, answer, tx);
        return { outcome: 'replied', messageId, reply };
      },
    });
    if (kept.outcome === 'stored') await this.rememberAnswer(kept.messageId, null, tx);
    return kept;
  }

  private async beginOrRollBack(turn: NewTurn, tx: Tx): Promise<BegunTurn | StoredTurn> {
    const beginning = await this.turns.begin(turn, tx);
    if (beginning.outcome === 'begun' || beginning.outcome === 'stored') return beginning;
    throw new TurnNotBegunSignal(beginning);
  }

  /** @param answerId null when there is no answer */
  private async rememberAnswer(messageId: number, answerId: number | null, tx: Tx): Promise<void> {
    await this.effect.extend(tx, `${messageId}/${answerId ?? UNANSWERED}`);
  }

  private async replyOf(conversationId: string, answer: string, tx: Tx): Promise<ChatReply> {
    if (answer === UNANSWERED) return NO_REPLY;
    const [stored] = await this.conversations.lastMessages(conversationId, 1, { upTo: Number(answer) }, tx);
    return stored ? { message: stored.content, functionCalls: stored.functionCalls ?? [] } : NO_REPLY;
  }
}
