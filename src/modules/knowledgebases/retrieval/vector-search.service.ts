import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Embeddings, type EmbeddingSpace } from '../../../providers/embeddings/embeddings.js';
import { ExactVectorSearchService } from './exact-vector-search.service.js';
import type { SearchedBase } from './searched-base.js';
import { VectorIndexesRepository } from './vector-indexes.repository.js';
import { type VectorScope, VectorsRepository } from './vectors.repository.js';

/** Fewer passages than this are compared faster than an index is read. */
const MIN_INDEXED_PASSAGES = 2_000;
/**
 * One index holds the passages of all bases. For a base below this share of it, most results of the index belong to
 * others. Comparing all of the base then takes less time.
 */
const MIN_INDEXED_SHARE = 0.02;

/** After so long a search checks again whether the index has been built. */
const LOOK_AGAIN_MS = 60_000;

/** Finds passages by their meaning: through an index where the database has pgvector, else by comparing all. */
@Injectable()
export class VectorSearchService implements OnApplicationBootstrap {
  private isIndexed = false;
  private lookedAtMs = 0;

  constructor(
    private readonly embeddings: Embeddings,
    private readonly exact: ExactVectorSearchService,
    private readonly vectors: VectorsRepository,
    private readonly indexes: VectorIndexesRepository,
    private readonly logger: Logger,
  ) {}

  /** Looks which way there is and says so in the log. Nothing is built: that is the operator's command. */
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
    await this.look(space);
    const way = this.isIndexed ? 'index' : 'exact';
    this.logger.info('knowledge bases are searched by words and vectors', { vectorSearch: way, ...space });
    return way;
  }

  /** Ids of the nearest passages, nearest first. */
  async search(
    scope: VectorScope,
    base: SearchedBase,
    vector: readonly number[],
    limit: number,
  ): Promise<string[]> {
    return (await this.isIndexBetter(scope, base))
      ? this.vectors.findNearest(scope, vector, limit)
      : this.exact.search(scope, base.revision, vector, limit);
  }

  private async isIndexBetter(scope: VectorScope, { passages }: SearchedBase): Promise<boolean> {
    if (passages < MIN_INDEXED_PASSAGES) return false;
    if (!this.isIndexed && performance.now() - this.lookedAtMs > LOOK_AGAIN_MS) await this.look(scope.space);
    if (!this.isIndexed) return false;
    if (!this.exact.fits(passages, scope)) return true;
    return passages >= (await this.indexes.indexedPassages(scope.space)) * MIN_INDEXED_SHARE;
  }

  private async look(space: EmbeddingSpace): Promise<void> {
    this.lookedAtMs = performance.now();
    try {
      if (!this.indexes.canIndex(space)) return;
      const isThere = await this.indexes.isPgvectorThere();
      this.isIndexed = isThere && (await this.indexes.stateOf(space)) === 'ready';
      if (isThere && !this.isIndexed) {
        this.logger.info('pgvector is there and has no index: build it with npm run vector-index', {
          ...space,
        });
      }
    } catch (error) {
      this.logger.warn('pgvector cannot be used', { err: error });
    }
  }
}
