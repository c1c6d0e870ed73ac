import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { NO_TOKENS, type TokenSum } from '../../../common/figures/token-sum.js';
import type { FunctionCall } from '../../../runtime/chat-turn.js';
import type { EarlierMessage } from '../../../runtime/history/earlier-messages.js';
import type { HoldTerms } from '../../billing/holds/hold-terms.js';

export interface NewTurn {
  readonly conversationId: string;
  readonly token: string;
  readonly leaseMs: number;
  /** What the customer says. */
  readonly content: string;
  /** Of the conversation's assistant, as this process knows it. */
  readonly version: string | null;
  /** Whether the message may wake up a conversation that has ended. */
  readonly reactivates: boolean;
  /** How many earlier messages the model is to see. */
  readonly historyLimit: number;
  /** Null for a turn that costs nothing. */
  readonly hold: HoldTerms | null;
  /** The message, when an interrupted run of the same request has stored it. */
  readonly storedMessageId?: number;
}

/** A turn that has its conversation to itself while its lease lives. */
export interface Turn {
  readonly conversationId: string;
  readonly token: string;
  /** The customer's message. */
  readonly messageId: number;
  readonly holdId: string | null;
}

export interface BegunTurn {
  readonly outcome: 'begun';
  readonly messageId: number;
  readonly holdId: string | null;
  readonly variables: Record<string, unknown>;
  /** Oldest first. */
  readonly history: readonly EarlierMessage[];
  /** Null where the conversation's own assistant has always had it. */
  readonly handoff: HandoffState | null;
}

/** Of a conversation that was handed over. */
export interface HandoffState {
  /** May be gone; null when its own assistant has it again. */
  readonly speakerId: number | null;
  readonly count: number;
}

/** The AI is off: the message is stored and charged. */
export interface StoredTurn {
  readonly outcome: 'stored';
  readonly messageId: number;
}

/**
 * `busy`: another turn has the conversation, `outdated`: its assistant is another one now than it was at that version,
 * `refused`: the price could not be held. No message was stored.
 */
export interface RefusedTurn {
  readonly outcome: 'missing' | 'busy' | 'outdated' | 'ended' | 'refused';
}

export type TurnBeginning = BegunTurn | StoredTurn | RefusedTurn;

export interface TurnAnswer {
  readonly text: string;
  readonly functionCalls: readonly FunctionCall[];
  readonly endsConversation: boolean;
  /** What models reported in the turn. */
  readonly tokens: TokenSum;
  /** Null in a conversation that was never handed over. */
  readonly handoff: AnswerHandoff | null;
}

/** Who has the conversation with this answer. */
export interface AnswerHandoff extends HandoffState {
  /** Of the speaker; null for the conversation's own assistant. */
  readonly speakerName: string | null;
}

/** The steps of a chat turn, each one round trip. What they do in detail is written at the SQL functions. */
@Injectable()
export class TurnsRepository {
  constructor(private readonly database: Database) {}

  /** Keeps a conversation's other turns waiting until the transaction ends. */
  async lock(conversationId: string, tx: Tx): Promise<void> {
    await this.database.writePrepared(
      'SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE',
      [conversationId],
      tx,
    );
  }

  /** Takes the conversation, stores the message and holds its price, or does nothing of it. */
  async begin(turn: NewTurn, tx?: Tx): Promise<TurnBeginning> {
    const [row] = await this.database.writePrepared<{ turn: TurnBeginning }>(
      'SELECT begin_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS turn',
      [
        turn.conversationId,
        turn.token,
        turn.leaseMs / 1_000,
        turn.content,
        turn.reactivates,
        turn.historyLimit,
        turn.hold?.id ?? null,
        turn.hold && JSON.stringify(turn.hold),
        turn.storedMessageId ?? null,
        turn.version,
      ],
      tx,
    );
    if (!row) throw new Error('the statement answers one row');
    return row.turn;
  }

  /**
   * Stores the answer, charges it and gives the conversation back. Returns the answer's id; null, and nothing is kept,
   * when the turn has lost its conversation or its hold. The commit does not wait for the disk: {@link confirm} does.
   */
  async finish(
    { conversationId, token, messageId, holdId }: Turn,
    { text, functionCalls, endsConversation, tokens }: TurnAnswer,
    tx?: Tx,
  ): Promise<number | null> {
    const [row] = await this.database.writePrepared<{ answer: string | null }>(
      'SELECT finish_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer',
      [
        conversationId,
        token,
        messageId,
        holdId,
        text,
        JSON.stringify(functionCalls),
        endsConversation,
        ...valuesOf(tokens),
      ],
      tx,
    );
    return idOf(row?.answer);
  }

  /** Writes down who has the conversation with an answer, in the transaction that stores it. */
  async attribute(
    conversationId: string,
    answerId: number,
    { speakerId, speakerName, count }: AnswerHandoff,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `WITH handed AS (UPDATE conversations SET handoffs = $5, speaker_id = $3 WHERE id = $1)
       UPDATE messages SET assistant_id = $3, assistant_name = $4 WHERE conversation_id = $1 AND id = $2`,
      [conversationId, answerId, speakerId, speakerName, count],
      tx,
    );
  }

  /**
   * Gives the conversation and the money of a turn back that has no answer. When its answer is stored after all, returns
   * the answer's id and changes nothing.
   *
   * @param tokens what models reported in the turn, also of one that has lost its conversation; counted at each call
   */
  async abandon(
    { conversationId, token, messageId, holdId }: Turn,
    tokens: TokenSum = NO_TOKENS,
  ): Promise<number | null> {
    const [row] = await this.database.writePrepared<{ answer: string | null }>(
      'SELECT abandon_turn($1, $2, $3, $4, $5, $6, $7) AS answer',
      [conversationId, token, messageId, holdId, ...valuesOf(tokens)],
    );
    return idOf(row?.answer);
  }

  /** Keeps a running turn's lease alive; false when the turn has lost it. */
  async renew(conversationId: string, token: string, leaseMs: number): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `UPDATE conversations SET turn_expires_at = now() + make_interval(secs => $3)
       WHERE id = $1 AND turn_token = $2 RETURNING id`,
      [conversationId, token, leaseMs / 1_000],
    );
    return rows.length > 0;
  }

  /** Whether a conversation waits for no answer of the AI: a person has it, or it is over. */
  async isOutOfAiHands(conversationId: string): Promise<boolean> {
    const rows = await this.database.readPrepared(
      'SELECT FROM conversations WHERE id = $1 AND (NOT ai_enabled OR ended_at IS NOT NULL)',
      [conversationId],
    );
    return rows.length > 0;
  }

  /** Waits until the answers that {@link finish} has stored are on the disk. */
  async confirm(): Promise<void> {
    await this.database.flushCommits();
  }
}

function valuesOf({ inputTokens, cachedInputTokens, outputTokens }: TokenSum): readonly (number | null)[] {
  return [inputTokens, cachedInputTokens, outputTokens];
}

function idOf(answer: string | null | undefined): number | null {
  return typeof answer === 'string' ? Number(answer) : null;
}
