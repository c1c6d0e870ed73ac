import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Embeddings, type EmbeddingSpace } from '../../../providers/embeddings/embeddings.js';
import { ExactVectorSearch } from './exact-vector-search.js';
import { type VectorScope, VectorsRepository } from './vectors.repository.js';

/** A base as it is found before its vectors are searched. */
export interface SearchedBase {
  /** Changes with what can be found in it. */
  readonly revision: number;
  /** How many passages it has. */
  readonly passages: number;
}

/** Fewer passages than this are compared faster than an index is read. */
const MIN_INDEXED_PASSAGES = 2_000;
/**
 * One index holds the passages of all bases. Where a base is less than this part of it, most of what the index gives
 * belongs to others, and comparing all of the base takes less time.
 */
const MIN_INDEXED_SHARE = 0.02;

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
    if (!this.isIndexed || passages < MIN_INDEXED_PASSAGES) return false;
    if (!this.exact.fits(passages, scope)) return true;
    return passages >= (await this.vectors.indexedPassages(scope.space)) * MIN_INDEXED_SHARE;
  }
}
