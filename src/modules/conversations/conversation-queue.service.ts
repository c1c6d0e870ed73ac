import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import { ChatConfig } from '../../config/config.js';

interface Line {
  tail: Promise<unknown>;
  waiting: number;
}

/** Lets the messages of one conversation through one after another, in the order they came to this process. */
@Injectable()
export class ConversationQueueService {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly config: ChatConfig) {}

  /** @throws TooManyRequestsError when the conversation's line is full */
  async run<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(conversationId) ?? { tail: Promise.resolve(), waiting: 0 };
    if (line.waiting >= this.config.queuePerConversation) throw new TooManyRequestsError(1);
    line.waiting++;
    this.lines.set(conversationId, line);
    const turn = line.tail.then(work, work);
    line.tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.waiting--;
      if (line.waiting === 0) this.lines.delete(conversationId);
    }
  }
}
