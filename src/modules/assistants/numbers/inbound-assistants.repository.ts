import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { Assistant } from '../assistant.entity.js';

/** Which assistants answer calls to which numbers. */
@Injectable()
export class InboundAssistantsRepository {
  constructor(private readonly database: Database) {}

  /** Whether another assistant answers calls to the number. */
  hasInboundOn(phoneNumberId: number, exceptId: number | null, tx?: Tx): Promise<boolean> {
    return this.database
      .manager(tx)
      .createQueryBuilder(Assistant, 'assistant')
      .where("assistant.phone_number_id = :phoneNumberId AND assistant.type = 'inbound'", { phoneNumberId })
      .andWhere('assistant.id IS DISTINCT FROM :exceptId', { exceptId })
      .getExists();
  }

  /** The active assistant that answers calls to a number, and whose it is. */
  async findAnswering(phoneNumberId: number): Promise<{ userId: number; id: number } | null> {
    const assistant = await this.database
      .manager()
      .findOneBy(Assistant, { phoneNumberId, type: 'inbound', status: 'active' });
    return assistant && { userId: assistant.userId, id: assistant.id };
  }

  /** A number has one at most. */
  async findInbound(phoneNumberId: number): Promise<{ userId: number; id: number } | null> {
    const assistant = await this.database.manager().findOneBy(Assistant, { phoneNumberId, type: 'inbound' });
    return assistant && { userId: assistant.userId, id: assistant.id };
  }

  /** Which numbers the caller's inbound assistants answer. */
  async inboundNumberIds(userId: number): Promise<ReadonlySet<number>> {
    const rows = await this.database.query<{ phone_number_id: number }>(
      `SELECT phone_number_id FROM assistants
       WHERE user_id = $1 AND type = 'inbound' AND phone_number_id IS NOT NULL`,
      [userId],
    );
    return new Set(rows.map((row) => row.phone_number_id));
  }
}
