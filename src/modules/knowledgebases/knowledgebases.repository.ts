import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Knowledgebase } from './knowledgebase.entity.js';

@Injectable()
export class KnowledgebasesRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<Knowledgebase | null> {
    return this.database.manager(tx).findOneBy(Knowledgebase, { userId, id });
  }
}
