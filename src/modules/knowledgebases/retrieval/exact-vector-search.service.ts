import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { nameOfSpace } from '../../../providers/embeddings/embeddings.js';
import { VectorMatrix } from './vector-matrix.js';
import { VectorScanService } from './vector-scan.service.js';
import { type VectorScope, VectorsRepository } from './vectors.repository.js';

const BATCH = 1_000;
/** Vectors kept in memory, of all bases together; larger bases are read anew for each search. */
const MAX_CACHED_BYTES = 256 * 1024 * 1024;

interface CacheEntry {
  readonly revision: number;
  readonly matrix: VectorMatrix;
}

/**
 * Compares a vector with every one of a base. The vectors are cached for the base's revision, which the caller has
 * just read. After a change only new vectors are read and deleted ones dropped, because the vector of a passage never
 * changes.
 */
@Injectable()
export class ExactVectorSearchService {
  private readonly cache: LRUCache<string, CacheEntry>;
  private readonly loading = new Map<string, Promise<VectorMatrix | null>>();

  constructor(
    private readonly vectors: VectorsRepository,
    private readonly scan: VectorScanService,
    @Optional() private readonly maxCachedBytes = MAX_CACHED_BYTES,
  ) {
    this.cache = new LRUCache({
      maxSize: maxCachedBytes,
      sizeCalculation: ({ matrix }) => Math.max(1, matrix.bytes),
    });
  }

  /** Whether a base of so many passages is kept in memory. */
  fits(passages: number, { space }: Pick<VectorScope, 'space'>): boolean {
    return VectorMatrix.bytesOf(passages, space.dimensions) <= this.maxCachedBytes;
  }

  /** Ids of the nearest passages, nearest first. */
  async search(
    scope: VectorScope,
    revision: number,
    vector: readonly number[],
    limit: number,
  ): Promise<string[]> {
    const matrix = this.cached(keyOf(scope), revision) ?? (await this.load(scope, revision));
    if (!matrix) return this.searchUncached(scope, vector, limit);
    const rows = await this.scan.nearest(matrix.values, vector, limit);
    return rows.map(({ row }) => matrix.ids[row] ?? '');
  }

  private cached(key: string, revision: number): VectorMatrix | null {
    const entry = this.cache.get(key);
    return entry?.revision === revision ? entry.matrix : null;
  }

  /** Null when the base is too large to be kept. Searches that come together wait for one reading. */
  private load(scope: VectorScope, revision: number): Promise<VectorMatrix | null> {
    const key = keyOf(scope);
    const loadKey = `${key}@${revision}`;
    const running = this.loading.get(loadKey) ?? this.read(scope, key, revision);
    this.loading.set(loadKey, running);
    return running.finally(() => this.loading.delete(loadKey));
  }

  private async read(scope: VectorScope, key: string, revision: number): Promise<VectorMatrix | null> {
    const ids = await this.vectors.listIds(scope);
    const known = this.cache.get(key)?.matrix;
    if (!this.fits(ids.length, scope)) {
      this.cache.delete(key);
      return null;
    }
    const matrix = new VectorMatrix(ids, scope.space.dimensions);
    const missing = known ? matrix.copyFrom(known) : ids;
    for (const batch of inBatches(missing)) matrix.fill(await this.vectors.findVectors(scope, batch));
    this.cache.set(key, { revision, matrix });
    return matrix;
  }

  private async searchUncached(
    scope: VectorScope,
    vector: readonly number[],
    limit: number,
  ): Promise<string[]> {
    const found: { readonly id: string; readonly cosine: number }[] = [];
    for (const ids of inBatches(await this.vectors.listIds(scope))) {
      const matrix = new VectorMatrix(ids, scope.space.dimensions);
      matrix.fill(await this.vectors.findVectors(scope, ids));
      const rows = await this.scan.nearest(matrix.values, vector, limit);
      found.push(...rows.map(({ row, cosine }) => ({ id: ids[row] ?? '', cosine })));
    }
    // Sorting is stable, and batches come in the order of their ids.
    return found
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}

function* inBatches(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH);
}

function keyOf({ userId, knowledgebaseId, space }: VectorScope): string {
  return `${userId}/${knowledgebaseId}/${nameOfSpace(space)}`;
}
