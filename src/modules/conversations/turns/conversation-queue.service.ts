import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { KeyedQueue } from '../../../common/concurrency/keyed-queue.js';
import { ChatConfig } from '../../../config/config.js';

/** Lets the messages of one conversation through one after another, in the order they came to this process. */
@Injectable()
export class ConversationQueueService {
  private readonly queue = new KeyedQueue<string>();

  constructor(private readonly config: ChatConfig) {}

  /** @throws TooManyRequestsError when the conversation's line is full */
  async run<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    if (this.queue.lengthOf(conversationId) >= this.config.queuePerConversation) {
      throw new TooManyRequestsError(1);
    }
    return this.queue.run(conversationId, work);
  }
}
