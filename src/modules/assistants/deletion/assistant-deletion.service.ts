import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { AssistantNotFoundError } from '../assistants.errors.js';
import { AssistantsRepository } from '../assistants.repository.js';
import { HandoffDestinationsRepository } from '../tools/handoff-destinations.repository.js';
import { AssistantHistoriesService } from './assistant-histories.service.js';

@Injectable()
export class AssistantDeletionService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly webhooks: WebhooksService,
    private readonly histories: AssistantHistoriesService,
    private readonly destinations: HandoffDestinationsRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Closes the assistant, so that its history does not grow while it is detached, and deletes it. Assistants that handed over
   * to it lose this destination.
   *
   * @throws AssistantNotFoundError
   */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.assistants.close(userId, id))) throw new AssistantNotFoundError();
    await this.webhooks.detachAssistant(userId, id);
    await this.histories.detach(userId, id);
    const isDeleted = await this.transactions.run(async (tx) => {
      await this.destinations.forget(userId, id, tx);
      return this.assistants.delete(userId, id, tx);
    });
    if (!isDeleted) throw new AssistantNotFoundError();
  }
}
