import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { findLocked } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { Knowledgebase } from './knowledgebase.entity.js';
import type { SearchedBase } from './retrieval/searched-base.js';

export interface Counts {
  readonly documentsCount: number;
  readonly assistantsCount: number;
}

@Injectable()
export class KnowledgebasesRepository {
  constructor(private readonly database: Database) {}

  listOf(userId: number): Promise<Knowledgebase[]> {
    return this.database.manager().find(Knowledgebase, { where: { userId }, order: { id: 'ASC' } });
  }

  find(userId: number, id: number, tx?: Tx): Promise<Knowledgebase | null> {
    return this.database.manager(tx).findOneBy(Knowledgebase, { userId, id });
  }

  /** What a search needs to know of a base, in one cheap reading. */
  async findSearched(userId: number, id: number): Promise<SearchedBase | null> {
    const [base] = await this.database.readPrepared<SearchedBase>(
      `SELECT k.revision, (SELECT coalesce(sum(d.chunks_count), 0)::integer FROM documents d
                            WHERE d.knowledgebase_id = k.id AND d.status = 'active') AS passages
         FROM knowledgebases k WHERE k.user_id = $1 AND k.id = $2`,
      [userId, id],
    );
    return base ?? null;
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Knowledgebase | null> {
    return findLocked(this.database.manager(tx), Knowledgebase, { userId, id });
  }

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Knowledgebase, { userId });
  }

  /** Documents in, and assistants that use, each of the account's bases (or the one given), by its id. */
  async countsOf(userId: number, id?: number): Promise<ReadonlyMap<number, Counts>> {
    const rows = await this.database.query<Counts & { id: number }>(
      `SELECT k.id,
              (SELECT count(*)::integer FROM documents d WHERE d.knowledgebase_id = k.id) AS "documentsCount",
              (SELECT count(*)::integer FROM assistants a WHERE a.knowledgebase_id = k.id) AS "assistantsCount"
         FROM knowledgebases k
        WHERE k.user_id = $1 AND ($2::integer IS NULL OR k.id = $2)`,
      [userId, id ?? null],
    );
    return new Map(
      rows.map(({ id: baseId, documentsCount, assistantsCount }) => [
        baseId,
        { documentsCount, assistantsCount },
      ]),
    );
  }

  add(knowledgebase: Pick<Knowledgebase, 'userId' | 'name' | 'description'>, tx: Tx): Promise<Knowledgebase> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(Knowledgebase, knowledgebase));
  }

  save(knowledgebase: Knowledgebase, tx: Tx): Promise<Knowledgebase> {
    return this.database.manager(tx).save(knowledgebase);
  }

  /**
   * Works the status out from the documents and tells that what can be found has changed. The row must be locked
   * before: a snapshot older than the lock could miss a document that another transaction has just finished.
   */
  async followDocuments(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE knowledgebases
          SET revision = revision + 1,
              status = (SELECT CASE WHEN count(*) = 0 THEN 'empty'
                                    WHEN bool_or(status = 'processing') THEN 'processing'
                                    WHEN bool_or(status = 'active') THEN 'active'
                                    ELSE 'failed' END
                          FROM documents WHERE knowledgebase_id = $2)
        WHERE user_id = $1 AND id = $2`,
      [userId, id],
      tx,
    );
  }

  /** Deletes the base; documents, sources and chunks with their vectors go with it. */
  async delete(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(Knowledgebase, { userId, id });
  }
}
