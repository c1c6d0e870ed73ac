import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Logger } from '../../src/common/observability/logger.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { DatabaseHealthService } from '../../src/database/database-health.service.js';
import { ExactVectorSearchService } from '../../src/modules/knowledgebases/retrieval/exact-vector-search.service.js';
import { PassagesRepository } from '../../src/modules/knowledgebases/retrieval/passages.repository.js';
import { WordSearchService } from '../../src/modules/knowledgebases/retrieval/word-search.service.js';
import { VectorScanService } from '../../src/modules/knowledgebases/retrieval/vector-scan.service.js';
import { VectorSearchService } from '../../src/modules/knowledgebases/retrieval/vector-search.service.js';
import { VectorIndexesRepository } from '../../src/modules/knowledgebases/retrieval/vector-indexes.repository.js';
import { VectorsRepository } from '../../src/modules/knowledgebases/retrieval/vectors.repository.js';
import { type EmbeddingSpace, nameOfSpace } from '../../src/providers/embeddings/embeddings.js';
import { NoEmbeddings } from '../../src/providers/embeddings/no-embeddings.js';
import { clusteredVectors, seedBase, type SeededBase } from '../support/chunk-seed.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { PgliteDatabase } from '../support/pglite-database.js';

const SPACE: EmbeddingSpace = { model: 'test-model', dimensions: 64 };
const CHUNKS = 4_000;
const SMALL = 200;
const QUERIES = clusteredVectors(20, SPACE.dimensions, 99);

/** The thread both ways compare in. */
const scan = new VectorScanService();

/** A fixed corpus; half of the queries are close to one of its vectors. */
const corpus = clusteredVectors(CHUNKS, SPACE.dimensions, 7).map((embedding, index) => ({
  content: `passage ${index} number${index % 97}`,
  embedding,
}));
const queries = [...QUERIES.slice(0, 10), ...corpus.slice(0, 10).map(({ embedding }) => embedding)];

interface Way {
  readonly database: Database;
  readonly search: VectorSearchService;
  readonly vectors: VectorsRepository;
  readonly words: WordSearchService;
  readonly base: SeededBase;
  readonly other: SeededBase;
  /** Position of a chunk by its id, which is what the two databases have in common. */
  readonly positions: ReadonlyMap<string, number>;
  readonly chosen: 'index' | 'exact';
}

async function prepare(database: Database): Promise<Way> {
  const vectors = new VectorsRepository(database);
  const indexes = new VectorIndexesRepository(database);
  const search = new VectorSearchService(
    new NoEmbeddings(),
    new ExactVectorSearchService(vectors, scan),
    vectors,
    indexes,
    Logger.create('silent'),
  );
  const base = await seedBase(database, corpus, nameOfSpace(SPACE));
  const other = await seedBase(database, corpus.slice(0, SMALL), nameOfSpace(SPACE));
  if (await indexes.isPgvectorThere()) await indexes.build(SPACE);
  const chosen = await search.choose(SPACE);
  const rows = await database.query<{ id: string; position: number }>(
    'SELECT id, position FROM document_chunks',
  );
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  return {
    database,
    search,
    vectors,
    words: new WordSearchService(new PassagesRepository(database)),
    base,
    other,
    positions,
    chosen,
  };
}

async function nearest(way: Way, vector: readonly number[], base = way.base, limit = 10): Promise<number[]> {
  const passages = base === way.base ? CHUNKS : SMALL;
  const ids = await way.search.search({ ...base, space: SPACE }, { revision: 1, passages }, vector, limit);
  return positionsOf(way, ids);
}

function positionsOf(way: Way, ids: readonly string[]): number[] {
  return ids.map((id) => way.positions.get(id) ?? -1);
}

/** What a comparison with everything in plain arithmetic gives. */
function expected(vector: readonly number[], chunks = corpus, limit = 10): number[] {
  return chunks
    .map(({ embedding }, index) => ({
      index,
      cosine: embedding.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0),
    }))
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, limit)
    .map(({ index }) => index);
}

let server: TestDatabase;
let dataSource: DataSource;
let pglite: PgliteDatabase;
const ways: { exact?: Way; index?: Way } = {};

function wayOf(name: 'exact' | 'index'): Way {
  const way = ways[name];
  if (!way) throw new Error('not prepared');
  return way;
}

beforeAll(async () => {
  server = await cloneDatabase();
  dataSource = await new DataSource(dataSourceOptions(server.url, 4)).initialize();
  pglite = await PgliteDatabase.start();
  ways.exact = await prepare(new Database(dataSource, new DatabaseHealthService()));
  ways.index = await prepare(pglite.database);
}, 180_000);

afterAll(async () => {
  await scan.onApplicationShutdown();
  await pglite.stop();
  await dataSource.destroy();
  await server.drop();
});

describe.each(['exact', 'index'] as const)('vector search by %s', (name) => {
  it('is what the database allows', () => {
    expect(wayOf(name).chosen).toBe(name);
  });

  it('finds what plain arithmetic finds, in its order', async () => {
    for (const query of queries) expect(await nearest(wayOf(name), query)).toEqual(expected(query));
  });

  it('finds enough of a small base among others', async () => {
    const way = wayOf(name);
    const small = corpus.slice(0, SMALL);

    for (const query of queries) {
      expect(await nearest(way, query, way.other, 50)).toEqual(expected(query, small, 50));
    }
  });

  it('finds nothing for another account', async () => {
    const way = wayOf(name);
    const foreign = { ...way.base, userId: way.other.userId };

    expect(await nearest(way, queries[0] ?? [], foreign)).toEqual([]);
  });

  it('finds nothing of a document that is not active', async () => {
    const way = wayOf(name);
    const hidden = await seedBase(way.database, corpus.slice(0, 20), nameOfSpace(SPACE));
    await way.database.query("UPDATE documents SET status = 'processing' WHERE id = $1", [hidden.documentId]);

    expect(await nearest(way, queries[0] ?? [], hidden)).toEqual([]);
  });

  it('does not compare vectors of another model', async () => {
    const way = wayOf(name);
    const [first] = clusteredVectors(1, 8, 1);
    const base = await seedBase(way.database, [{ content: 'x', embedding: first }], 'other-model/8');

    expect(await nearest(way, queries[0] ?? [], base)).toEqual([]);
  });
});

describe('both ways', () => {
  it('give the same ranking by words', async () => {
    const words = (way: Way) =>
      way.words
        .search(
          way.base.userId,
          way.base.knowledgebaseId,
          { revision: 1, passages: CHUNKS },
          'passage number12 number13',
          20,
        )
        .then((ids) => ids.map((id) => way.positions.get(id)));

    expect(await words(wayOf('index'))).toEqual(await words(wayOf('exact')));
  });
});

describe('the index', () => {
  /** How often the index was read. */
  async function readings({ database }: Way): Promise<number> {
    await database.query('SELECT pg_stat_force_next_flush()');
    const [row] = await database.query<{ count: number }>(
      `SELECT sum(idx_scan)::integer AS count FROM pg_stat_user_indexes
        WHERE indexrelname LIKE 'document_chunks_hnsw_%'`,
    );
    return row?.count ?? 0;
  }

  it('is read for a large base, and not for a small one, which is compared faster', async () => {
    const way = wayOf('index');
    const [query = []] = queries;
    const before = await readings(way);
    await nearest(way, query);
    const afterLarge = await readings(way);
    await nearest(way, query, way.other);

    expect(afterLarge).toBe(before + 1);
    expect(await readings(way)).toBe(afterLarge);
  });

  it('is read on until it has given enough of a base that is a small part of it', async () => {
    const way = wayOf('index');
    let found = 0;

    for (const query of queries) {
      const ids = await way.vectors.findNearest({ ...way.other, space: SPACE }, query, 50);
      const best = new Set(expected(query, corpus.slice(0, SMALL), 50));
      expect(ids).toHaveLength(50);
      found += positionsOf(way, ids).filter((position) => best.has(position)).length;
    }

    expect(found / (queries.length * 50)).toBeGreaterThan(0.9);
  });
});

describe('building the index', () => {
  const other: EmbeddingSpace = { model: 'index-model', dimensions: 64 };

  it('is nothing that a start does', async () => {
    const { database, vectors } = wayOf('index');
    const indexes = new VectorIndexesRepository(database);
    const exact = new ExactVectorSearchService(vectors, scan);
    const search = new VectorSearchService(
      new NoEmbeddings(),
      exact,
      vectors,
      indexes,
      Logger.create('silent'),
    );

    expect(await search.choose(other)).toBe('exact');
    expect(await indexes.stateOf(other)).toBe('missing');
  });

  it('takes away what an interrupted build has left, and does nothing when the index is there', async () => {
    const { database } = wayOf('index');
    const indexes = new VectorIndexesRepository(database);

    expect(await indexes.build(other)).toBe('built');
    await database.query(
      `UPDATE pg_index SET indisvalid = false WHERE indrelid = 'document_chunks'::regclass
          AND pg_get_indexdef(indexrelid) LIKE '%index-model/64%'`,
    );
    expect(await indexes.stateOf(other)).toBe('broken');
    expect(await indexes.build(other)).toBe('built');
    expect(await indexes.stateOf(other)).toBe('ready');
    expect(await indexes.build(other)).toBe('ready');
    expect(await indexes.progress()).toBeNull();
  });

  it('does without it where pgvector is too old to read on in the index', async () => {
    const { database, vectors } = wayOf('index');
    const indexes = new VectorIndexesRepository(database);
    const exact = new ExactVectorSearchService(vectors, scan);
    const log = Logger.create('silent');
    const search = new VectorSearchService(new NoEmbeddings(), exact, vectors, indexes, log);
    // A temporary view comes before the one of the system.
    await database.query(
      "CREATE TEMPORARY VIEW pg_available_extensions AS SELECT 'vector' AS name, '0.7.4' AS default_version",
    );
    try {
      expect(await indexes.stateOf(SPACE)).toBe('ready');
      expect(await search.choose(SPACE)).toBe('exact');
    } finally {
      await database.query('DROP VIEW pg_temp.pg_available_extensions');
    }
    expect(await search.choose(SPACE)).toBe('index');
  });

  it('is left alone beyond what pgvector can index', () => {
    const indexes = new VectorIndexesRepository(wayOf('index').database);
    expect(indexes.canIndex({ model: 'm', dimensions: 2_000 })).toBe(true);
    expect(indexes.canIndex({ model: 'm', dimensions: 2_001 })).toBe(false);
  });
});

describe('the exact way', () => {
  it('compares in a thread of its own, and starts another once that has ended', async () => {
    const values = new Float32Array(new SharedArrayBuffer(600_000 * 4)).fill(0.5);
    for (const row of [5_000, 7_000]) values.fill(1, row * 64, (row + 1) * 64);
    const ones = Array.from({ length: 64 }, () => 1);
    const best = [
      { row: 5_000, cosine: 64 },
      { row: 7_000, cosine: 64 },
    ];
    const own = new VectorScanService();

    expect(await Promise.all([own.nearest(values, ones, 2), own.nearest(values, ones, 1)])).toEqual([
      best,
      best.slice(0, 1),
    ]);
    await own.onApplicationShutdown();
    expect(await own.nearest(values, ones, 2)).toEqual(best);
    await own.onApplicationShutdown();
  });

  it('tells those who wait when its thread ends', async () => {
    const values = new Float32Array(new SharedArrayBuffer(600_000 * 4));
    const own = new VectorScanService();
    const waiting = expect(own.nearest(values, [1, 0, 0, 0], 2)).rejects.toThrow('has ended');

    await own.onApplicationShutdown();

    await waiting;
  });

  it('sees a change of the base by its revision, and reads large bases anew each time', async () => {
    const { database } = wayOf('exact');
    const base = await seedBase(database, corpus.slice(0, 30), nameOfSpace(SPACE));
    const exact = new ExactVectorSearchService(new VectorsRepository(database), scan);
    const scope = { ...base, space: SPACE };
    const before = await exact.search(scope, 1, queries[0] ?? [], 30);
    await database.query('DELETE FROM document_chunks WHERE id = $1', [before[0]]);

    expect(await exact.search(scope, 1, queries[0] ?? [], 30)).toEqual(before);
    expect(await exact.search(scope, 2, queries[0] ?? [], 30)).toEqual(before.slice(1));
    const uncached = new ExactVectorSearchService(new VectorsRepository(database), scan, 1_000);
    expect(await uncached.search(scope, 2, queries[0] ?? [], 30)).toEqual(before.slice(1));
  });

  it('reads only what has come since the last time', async () => {
    const { database } = wayOf('exact');
    const base = await seedBase(database, corpus.slice(0, 30), nameOfSpace(SPACE));
    const scope = { ...base, space: SPACE };
    const vectors = new VectorsRepository(database);
    const read = jest.spyOn(vectors, 'findVectors');
    const exact = new ExactVectorSearchService(vectors, scan);
    const late = await database.query<{ id: string; embedding: number[] }>(
      `UPDATE document_chunks c SET embedding = NULL, embedding_space = NULL
         FROM document_chunks old WHERE old.id = c.id AND c.document_id = $1 AND c.position < 10
        RETURNING c.id, old.embedding`,
      [base.documentId],
    );
    const early = await exact.search(scope, 1, queries[0] ?? [], 30);
    for (const { id, embedding } of late) {
      await database.query('UPDATE document_chunks SET embedding = $2, embedding_space = $3 WHERE id = $1', [
        id,
        embedding,
        nameOfSpace(SPACE),
      ]);
    }
    await database.query('DELETE FROM document_chunks WHERE id = $1', [early[0]]);

    const all = await exact.search(scope, 2, queries[0] ?? [], 30);

    expect(early).toHaveLength(20);
    expect(all).toEqual(
      await new ExactVectorSearchService(vectors, scan).search(scope, 2, queries[0] ?? [], 30),
    );
    expect(all).toHaveLength(29);
    const late10 = late.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
    expect(read.mock.calls[1]?.[1]).toEqual(late10);
  });
});
