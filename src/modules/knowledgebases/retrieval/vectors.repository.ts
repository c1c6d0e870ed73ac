import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { type EmbeddingSpace, nameOfSpace } from '../../../providers/embeddings/embeddings.js';

/** What is searched. */
export interface VectorScope {
  readonly userId: number;
  readonly knowledgebaseId: number;
  readonly space: EmbeddingSpace;
}

export interface VectorRow {
  readonly id: string;
  /** As `array_send` writes it. */
  readonly embedding: Buffer;
}

/** How far the index is looked through: more finds more and takes longer. */
const EF_SEARCH = 200;

/**
 * What can be found: passages of active documents. The others are named in a list, because a join with the documents
 * would keep the planner from reading the index in its order.
 */
const VISIBLE = `c.user_id = $1 AND c.knowledgebase_id = $2 AND c.embedding_space = $3
         AND c.document_id <> ALL (ARRAY (SELECT d.id FROM documents d
                                           WHERE d.knowledgebase_id = $2 AND d.status <> 'active'))`;

/** Vectors of passages. They are `real[]` everywhere; pgvector, where there is any, indexes them by an expression. */
@Injectable()
export class VectorsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of the passages nearest to the vector, nearest first, by the index. */
  async findNearest(
    { userId, knowledgebaseId, space }: VectorScope,
    vector: readonly number[],
    limit: number,
  ): Promise<string[]> {
    return this.database.run(async (tx) => {
      // The index on all bases is read on until it has given enough of this one. The planner, which takes the
      // conditions for independent and so expects almost nothing, would rather read and sort the whole base.
      await this.database.query(
        `SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
                set_config('hnsw.ef_search', '${EF_SEARCH}', true), set_config('enable_sort', 'off', true)`,
        [],
        tx,
      );
      return this.database.values<string>(
        `SELECT c.id FROM document_chunks c WHERE ${VISIBLE}
          ORDER BY c.embedding::vector(${space.dimensions}) <=> $4::vector(${space.dimensions}) LIMIT $5`,
        [userId, knowledgebaseId, nameOfSpace(space), `[${vector.join(',')}]`, limit],
        tx,
      );
    });
  }

  /** Ids of the passages that have a vector, ascending. */
  listIds({ userId, knowledgebaseId, space }: VectorScope): Promise<string[]> {
    return this.database.values<string>(`SELECT c.id FROM document_chunks c WHERE ${VISIBLE} ORDER BY c.id`, [
      userId,
      knowledgebaseId,
      nameOfSpace(space),
    ]);
  }

  /** Vectors of passages, those that are still there. */
  findVectors({ userId, space }: VectorScope, ids: readonly string[]): Promise<VectorRow[]> {
    return this.database.query<VectorRow>(
      `SELECT c.id, array_send(c.embedding) AS embedding FROM document_chunks c
        WHERE c.user_id = $1 AND c.embedding_space = $2 AND c.id = ANY ($3::bigint[])`,
      [userId, nameOfSpace(space), ids],
    );
  }
}
