import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { AnswerPersonalDataService } from '../../idempotency/personal-data/answer-personal-data.service.js';
import { DeliveryPersonalDataService } from '../../webhooks/personal-data/delivery-personal-data.service.js';
import { ConversationPersonalDataRepository } from './conversation-personal-data.repository.js';

/**
 * Conversations of a person. They stay, with the costs of their messages; the person and the texts are removed. Where
 * another person mentions the number, only the number is removed.
 */
@Injectable()
export class ConversationPersonalDataService implements PersonalDataSource {
  readonly name = 'conversations';

  constructor(
    private readonly rows: ConversationPersonalDataRepository,
    private readonly answers: AnswerPersonalDataService,
    private readonly deliveries: DeliveryPersonalDataService,
  ) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextConversations(person.userId, after);
    const found = await this.rows.tracesIn(person, ids);
    const own = found.filter(({ isOwn }) => isOwn).map(({ id }) => id);
    const conversations = await this.rows.records(person.userId, own);
    const mentions = found.filter(({ isOwn }) => !isOwn);
    return {
      records: [
        ...conversations.map((data) => ({ kind: 'conversation', data })),
        ...mentions.map(({ id }) => ({ kind: 'conversation_mention', data: { id } })),
      ],
      next,
    };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { userId } = person;
    const { ids, next } = await this.rows.nextConversations(userId, after, tx);
    let erased = 0;
    let busy = 0;
    for (const trace of await this.rows.tracesIn(person, ids, tx)) {
      const { id, isOwn, isBusy } = trace;
      if (isBusy || !(await this.rows.lock(userId, trace, tx))) {
        busy += 1;
        continue;
      }
      if (isOwn) await this.empty(userId, id, tx);
      else await this.removeNumber(person, id, tx);
      await this.answers.forgetConversation(id, tx);
      erased += 1;
    }
    return { erased, busy, next };
  }

  private async empty(userId: number, id: string, tx: Tx): Promise<void> {
    await this.rows.empty(userId, id, tx);
    await this.deliveries.forgetConversation(userId, id, tx);
  }

  private async removeNumber(person: Person, id: string, tx: Tx): Promise<void> {
    for (const message of await this.rows.messagesNaming(person, id, tx)) {
      await this.rows.replaceMessage(person.userId, jsonWithoutNumber(person, message), tx);
    }
    const findings = await this.rows.findingsNaming(person, id, tx);
    if (findings) {
      await this.rows.replaceFindings(person.userId, id, jsonWithoutNumber(person, findings), tx);
    }
    await this.rows.deleteTagsNaming(person, id, tx);
    await this.rows.followLastMessage(person.userId, id, tx);
  }
}
