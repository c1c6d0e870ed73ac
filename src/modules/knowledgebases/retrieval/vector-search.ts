import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Embeddings, type EmbeddingSpace } from '../../../providers/embeddings/embeddings.js';
import { ExactVectorSearch } from './exact-vector-search.js';
import { type VectorScope, VectorsRepository } from './vectors.repository.js';

/** Finds passages by their meaning: through an index where the database has pgvector, else by comparing all. */
@Injectable()
export class VectorSearch implements OnApplicationBootstrap {
  private isIndexed = false;

  constructor(
    private readonly embeddings: Embeddings,
    private readonly exact: ExactVectorSearch,
    private readonly vectors: VectorsRepository,
    private readonly logger: Logger,
  ) {}

  /** Chooses the way and says so in the log. Building an index can take long, so that the start does not wait for it. */
  onApplicationBootstrap(): void {
    const { space } = this.embeddings;
    if (!space) {
      this.logger.info('knowledge bases are searched by words alone: no embedding model is configured');
      return;
    }
    void this.choose(space);
  }

  /** @returns 'index' or 'exact' */
  async choose(space: EmbeddingSpace): Promise<'index' | 'exact'> {
    try {
      if (this.vectors.canIndex(space) && (await this.vectors.ensureExtension())) {
        await this.vectors.ensureIndex(space);
        this.isIndexed = true;
      }
    } catch (error) {
      this.logger.warn('pgvector cannot be used', { err: error });
    }
    const way = this.isIndexed ? 'index' : 'exact';
    this.logger.info('knowledge bases are searched by words and vectors', { vectorSearch: way, ...space });
    return way;
  }

  /** Ids of the nearest passages, nearest first. */
  search(scope: VectorScope, revision: number, vector: readonly number[], limit: number): Promise<string[]> {
    return this.isIndexed
      ? this.vectors.findNearest(scope, vector, limit)
      : this.exact.search(scope, revision, vector, limit);
  }
}
