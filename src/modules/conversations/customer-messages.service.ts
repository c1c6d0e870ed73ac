import { Injectable } from '@nestjs/common';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { Tx } from '../../database/transactions.js';
import type { FunctionCall } from '../../runtime/chat-turn.js';
import { ConversationsRepository } from './conversations.repository.js';

export interface ChatReply {
  /** Empty when the AI is off: the message was stored, nobody answered it. */
  readonly message: string;
  readonly functionCalls: readonly FunctionCall[];
}

export interface StoredMessage {
  readonly id: number;
  /** An earlier run of the same request has stored it. */
  readonly isRepeated: boolean;
  /** What that run answered; null when it came to no answer. */
  readonly reply: ChatReply | null;
}

const NO_REPLY: ChatReply = { message: '', functionCalls: [] };
const NOBODY = 'nobody';

/**
 * Customers' messages, each stored once for its Idempotency-Key: a repetition of a request that broke off goes on with
 * the stored message, or gets the stored answer.
 */
@Injectable()
export class CustomerMessagesService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly effect: IdempotentEffectService,
  ) {}

  /**
   * @param store stores the message and returns its id; not called when an earlier run has stored it
   * @throws RequestStillRunningError when another process has taken the request over
   */
  async once(conversationId: string, store: () => Promise<number>, tx: Tx): Promise<StoredMessage> {
    return this.effect.once<StoredMessage>(tx, {
      make: async () => ({ id: await store(), isRepeated: false, reply: null }),
      referenceOf: ({ id }) => String(id),
      recall: async (reference) => {
        const [id, answer] = reference.split('/');
        const reply = answer === undefined ? null : await this.replyOf(conversationId, answer, tx);
        return { id: Number(id), isRepeated: true, reply };
      },
    });
  }

  /**
   * Remembers what answered a message, in the transaction that stores the answer.
   *
   * @param answerId null when nobody answers
   * @throws RequestStillRunningError when another process has taken the request over
   */
  async rememberAnswer(messageId: number, answerId: number | null, tx: Tx): Promise<void> {
    await this.effect.extend(tx, `${messageId}/${answerId ?? NOBODY}`);
  }

  private async replyOf(conversationId: string, answer: string, tx: Tx): Promise<ChatReply> {
    if (answer === NOBODY) return NO_REPLY;
    const [stored] = await this.conversations.lastMessages(conversationId, 1, { upTo: Number(answer) }, tx);
    return stored ? { message: stored.content, functionCalls: stored.functionCalls ?? [] } : NO_REPLY;
  }
}
