import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { PhoneNumber } from './phone-number.entity.js';

@Injectable()
export class PhoneNumbersRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<PhoneNumber | null> {
    return this.database.manager(tx).findOneBy(PhoneNumber, { userId, id });
  }

  listOf(userId: number): Promise<PhoneNumber[]> {
    return this.database.manager().find(PhoneNumber, { where: { userId }, order: { id: 'ASC' } });
  }
}
