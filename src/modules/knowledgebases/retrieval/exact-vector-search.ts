import { Injectable, Optional } from '@nestjs/common';
import { nameOfSpace } from '../../../providers/embeddings/embeddings.js';
import { mergeNeighbours, type Neighbour, VectorMatrix } from './vector-matrix.js';
import { type VectorRow, type VectorScope, VectorsRepository } from './vectors.repository.js';

const BATCH = 1_000;
/** Vectors kept in memory, of all bases together; larger bases are read anew for each search. */
const MAX_CACHED_BYTES = 256 * 1024 * 1024;

interface CacheEntry {
  readonly revision: number;
  readonly matrix: VectorMatrix;
}

/**
 * Compares a vector with every one of a base, for databases without pgvector. What was read is kept as long as the
 * base's revision, which the caller has just read, says that it is still true.
 */
@Injectable()
export class ExactVectorSearch {
  /** In the order of last use. */
  private readonly cache = new Map<string, CacheEntry>();
  private readonly loading = new Map<string, Promise<VectorMatrix | null>>();

  constructor(
    private readonly vectors: VectorsRepository,
    @Optional() private readonly maxCachedBytes = MAX_CACHED_BYTES,
  ) {}

  /** Ids of the nearest passages, nearest first. */
  async search(
    scope: VectorScope,
    revision: number,
    vector: readonly number[],
    limit: number,
  ): Promise<string[]> {
    const matrix = this.cached(keyOf(scope), revision) ?? (await this.load(scope, revision));
    const neighbours = matrix ? matrix.nearest(vector, limit) : await this.scan(scope, vector, limit);
    return neighbours.map(({ id }) => id);
  }

  private cached(key: string, revision: number): VectorMatrix | null {
    const entry = this.cache.get(key);
    if (entry?.revision !== revision) return null;
    this.cache.delete(key);
    this.cache.set(key, entry);
    return entry.matrix;
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
    const { dimensions } = scope.space;
    const rows: VectorRow[] = [];
    for await (const batch of this.batches(scope)) {
      rows.push(...batch);
      if (rows.length * dimensions * Float32Array.BYTES_PER_ELEMENT > this.maxCachedBytes) return null;
    }
    const matrix = VectorMatrix.of(dimensions, rows);
    this.cache.delete(key);
    this.cache.set(key, { revision, matrix });
    this.evict();
    return matrix;
  }

  private async scan(scope: VectorScope, vector: readonly number[], limit: number): Promise<Neighbour[]> {
    let best: Neighbour[] = [];
    for await (const batch of this.batches(scope)) {
      const found = VectorMatrix.of(scope.space.dimensions, batch).nearest(vector, limit);
      best = mergeNeighbours([best, found], limit);
    }
    return best;
  }

  private async *batches(scope: VectorScope): AsyncGenerator<VectorRow[]> {
    let afterId = '0';
    for (;;) {
      const batch = await this.vectors.listVectors(scope, afterId, BATCH);
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
      afterId = batch.at(-1)?.id ?? afterId;
    }
  }

  private evict(): void {
    let bytes = [...this.cache.values()].reduce((sum, { matrix }) => sum + matrix.bytes, 0);
    for (const [key, { matrix }] of this.cache) {
      if (bytes <= this.maxCachedBytes) return;
      this.cache.delete(key);
      bytes -= matrix.bytes;
    }
  }
}

function keyOf({ userId, knowledgebaseId, space }: VectorScope): string {
  return `${userId}/${knowledgebaseId}/${nameOfSpace(space)}`;
}
