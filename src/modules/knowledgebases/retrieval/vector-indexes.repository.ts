import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../database/advisory-locks.js';
import { Database } from '../../../database/database.js';
import { type EmbeddingSpace, nameOfSpace } from '../../../providers/embeddings/embeddings.js';

/** More than pgvector's HNSW index takes. */
const MAX_INDEXED_DIMENSIONS = 2_000;
/** How far the index is looked through while it is built: more finds more and takes longer. */
const EF_CONSTRUCTION = 200;

/** `broken`: left over by a build that was cut short. */
export type VectorIndexState = 'ready' | 'broken' | 'missing';

/** How far a build has come. */
export interface BuildProgress {
  /** In PostgreSQL's words, such as `building index: loading tuples`. */
  readonly phase: string;
  readonly blocksDone: number;
  readonly blocksTotal: number;
}

/** The indexes on vectors, one for each embedding space. They exist where the database has pgvector. */
@Injectable()
export class VectorIndexesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Whether the server offers a pgvector that reads on in an index until it has found enough (0.8), installed in this
   * database or not. An older one refuses the setting.
   */
  isPgvectorThere(): Promise<boolean> {
    return this.database.matches(
      `SELECT 1 FROM pg_available_extensions
        WHERE name = 'vector' AND string_to_array(substring(default_version FROM '^[0-9]+\\.[0-9]+'), '.')::int[] >= '{0,8}'`,
    );
  }

  canIndex({ dimensions }: EmbeddingSpace): boolean {
    return dimensions <= MAX_INDEXED_DIMENSIONS;
  }

  async stateOf(space: EmbeddingSpace): Promise<VectorIndexState> {
    const [index] = await this.database.query<{ ready: boolean }>(
      'SELECT indisvalid AND indisready AS ready FROM pg_index WHERE indexrelid = to_regclass($1)',
      [nameOfIndex(space)],
    );
    if (!index) return 'missing';
    return index.ready ? 'ready' : 'broken';
  }

  /**
   * Builds the index in parallel with reads and writes, which takes minutes on a full table. An unfinished index of
   * an earlier build is removed first. Installs pgvector where it is only available.
   *
   * @returns `built`, `ready` when there was nothing to do, `busy` when another process is building
   */
  async build(space: EmbeddingSpace): Promise<'built' | 'ready' | 'busy'> {
    // Outside transactions, as CONCURRENTLY asks, and on one connection with the lock.
    const session = await this.database.openSession({ statementTimeoutMs: 0 });
    try {
      // Waiting for the lock would hold the snapshot that the other build waits for.
      const [lock] = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
        ADVISORY_LOCKS.vectorIndex,
      ]);
      if (!lock?.taken) return 'busy';
      const state = await this.stateOf(space);
      if (state === 'ready') return 'ready';
      await session.query('CREATE EXTENSION IF NOT EXISTS vector', []);
      if (state === 'broken') await session.query(`DROP INDEX CONCURRENTLY ${nameOfIndex(space)}`, []);
      await session.query(
        `CREATE INDEX CONCURRENTLY ${nameOfIndex(space)} ON document_chunks
          USING hnsw ((embedding::vector(${space.dimensions})) vector_cosine_ops)
          WITH (ef_construction = ${EF_CONSTRUCTION})
          WHERE embedding_space = ${quoteLiteral(nameOfSpace(space))}`,
        [],
      );
      return 'built';
    } finally {
      await session.close();
    }
  }

  /** Null when nothing is being built. */
  progress(): Promise<BuildProgress | null> {
    return this.database.first<BuildProgress>(
      `SELECT phase, blocks_done::float8 AS "blocksDone", blocks_total::float8 AS "blocksTotal"
         FROM pg_stat_progress_create_index WHERE relid = to_regclass('document_chunks')`,
    );
  }

  /** Passages in the index of a space, of all bases together, as of the last time the database counted them. */
  async indexedPassages(space: EmbeddingSpace): Promise<number> {
    const [row] = await this.database.readPrepared<{ passages: number }>(
      'SELECT greatest(reltuples, 0)::float8 AS passages FROM pg_class WHERE oid = to_regclass($1)',
      [nameOfIndex(space)],
    );
    return row?.passages ?? 0;
  }
}

/** A name of bounded length, for any name of a model. */
function nameOfIndex(space: EmbeddingSpace): string {
  const hash = createHash('sha256').update(nameOfSpace(space)).digest('hex');
  return `document_chunks_hnsw_${hash.slice(0, 16)}`;
}

function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
