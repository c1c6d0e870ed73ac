import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { DeliveryPersonalDataRepository } from './delivery-personal-data.repository.js';

/**
 * Deliveries that tell of a person, and what receivers answered: they are deleted, also those that still wait. So are
 * events that wait for a plugin, which hold nothing that other records do not.
 */
@Injectable()
export class DeliveryPersonalDataService implements PersonalDataSource {
  readonly name = 'webhook_deliveries';

  constructor(private readonly rows: DeliveryPersonalDataRepository) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextDeliveries(person.userId, after);
    const records = await this.rows.records(person, ids);
    return { records: records.map((data) => ({ kind: 'webhook_delivery', data })), next };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { ids, next } = await this.rows.nextDeliveries(person.userId, after, tx);
    const deliveries = await this.rows.delete(person, ids, tx);
    // With the first page: few events wait for a plugin at any time.
    const events = after === null ? await this.rows.deletePluginEvents(person, tx) : 0;
    return { erased: deliveries + events, busy: 0, next };
  }

  /** Deletes deliveries about each message of a conversation, which is a person's own. */
  forgetConversation(userId: number, conversationId: string, tx: Tx): Promise<void> {
    return this.rows.deleteOfConversation(userId, conversationId, tx);
  }
}
