import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import type { Knowledgebase } from './knowledgebase.entity.js';
import { KnowledgebasesRepository } from './knowledgebases.repository.js';

@Injectable()
export class KnowledgebasesService {
  constructor(private readonly knowledgebases: KnowledgebasesRepository) {}

  find(userId: number, id: number, tx?: Tx): Promise<Knowledgebase | null> {
    return this.knowledgebases.find(userId, id, tx);
  }
}
