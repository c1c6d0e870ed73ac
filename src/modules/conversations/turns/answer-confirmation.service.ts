import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { untilDatabaseAnswers } from '../../../database/outages/lost-connection.js';
import { ConversationsRepository } from '../conversations.repository.js';
import { TurnsRepository } from './turns.repository.js';

/** A turn whose answer has been committed. */
export interface AnsweredTurn {
  readonly conversationId: string;
  /** Id of the stored answer. */
  readonly answerId: number;
}

/**
 * Waits after the commit of an answer until it is on the disk. The answer is charged by now, so an error here must
 * not be reported as a failure: the caller would ask, and pay, again.
 */
@Injectable()
export class AnswerConfirmationService {
  constructor(
    private readonly turns: TurnsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Waits for the disk. After an outage of the database it checks whether the answer is still there: a crash before
   * the commit reached the disk loses it, and the charge with it. While the database stays away the answer counts as
   * stored.
   *
   * @returns false when the answer is lost
   */
  async confirm({ conversationId, answerId }: AnsweredTurn): Promise<boolean> {
    const confirmed = await untilDatabaseAnswers(
      async (isRepeated) => {
        await this.turns.confirm();
        return !isRepeated || (await this.conversations.hasMessage(conversationId, answerId));
      },
      (error) => this.logger.warn('answer not confirmed yet', { conversationId, err: error }),
    );
    return confirmed?.answer ?? true;
  }
}
