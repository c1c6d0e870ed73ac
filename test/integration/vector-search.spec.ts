import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Logger } from '../../src/common/observability/logger.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { ExactVectorSearch } from '../../src/modules/knowledgebases/retrieval/exact-vector-search.js';
import { PassagesRepository } from '../../src/modules/knowledgebases/retrieval/passages.repository.js';
import { VectorSearch } from '../../src/modules/knowledgebases/retrieval/vector-search.js';
import { VectorsRepository } from '../../src/modules/knowledgebases/retrieval/vectors.repository.js';
import { type EmbeddingSpace, nameOfSpace } from '../../src/providers/embeddings/embeddings.js';
import { NoEmbeddings } from '../../src/providers/embeddings/no-embeddings.js';
import { clusteredVectors, seedBase, type SeededBase } from '../support/chunk-seed.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { PgliteDatabase } from '../support/pglite-database.js';

const SPACE: EmbeddingSpace = { model: 'test-model', dimensions: 64 };
const CHUNKS = 4_000;
const QUERIES = clusteredVectors(20, SPACE.dimensions, 99);

/** A fixed corpus; half of the queries are near to what stands in it. */
const corpus = clusteredVectors(CHUNKS, SPACE.dimensions, 7).map((embedding, index) => ({
  content: `passage ${index} number${index % 97}`,
  embedding,
}));
const queries = [...QUERIES.slice(0, 10), ...corpus.slice(0, 10).map(({ embedding }) => embedding)];

interface Way {
  readonly database: Database;
  readonly search: VectorSearch;
  readonly words: PassagesRepository;
  readonly base: SeededBase;
  readonly other: SeededBase;
  /** Position of a chunk by its id, which is what the two databases have in common. */
  readonly positions: ReadonlyMap<string, number>;
  readonly chosen: 'index' | 'exact';
}

async function prepare(database: Database): Promise<Way> {
  const vectors = new VectorsRepository(database);
  const search = new VectorSearch(
    new NoEmbeddings(),
    new ExactVectorSearch(vectors),
    vectors,
    Logger.create('silent'),
  );
  const base = await seedBase(database, corpus, nameOfSpace(SPACE));
  const other = await seedBase(database, corpus.slice(0, 200), nameOfSpace(SPACE));
  const chosen = await search.choose(SPACE);
  const rows = await database.query<{ id: string; position: number }>(
    'SELECT id, position FROM document_chunks',
  );
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  return { database, search, words: new PassagesRepository(database), base, other, positions, chosen };
}

async function nearest(way: Way, vector: readonly number[], base = way.base, limit = 10): Promise<number[]> {
  const ids = await way.search.search({ ...base, space: SPACE }, 1, vector, limit);
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
  ways.exact = await prepare(new Database(dataSource));
  ways.index = await prepare(pglite.database);
}, 180_000);

afterAll(async () => {
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
    const small = corpus.slice(0, 200);

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
        .findByWords(way.base.userId, way.base.knowledgebaseId, 'passage number12 number13', 20)
        .then((ids) => ids.map((id) => way.positions.get(id)));

    expect(await words(wayOf('index'))).toEqual(await words(wayOf('exact')));
  });
});

describe('the index', () => {
  it('is what the planner uses for a large base', async () => {
    const { base, database } = wayOf('index');
    const vector = `[${(queries[0] ?? []).join(',')}]`;

    const plan = await database.query<Record<string, string>>(
      `EXPLAIN SELECT c.id FROM document_chunks c
        WHERE c.user_id = $1 AND c.knowledgebase_id = $2 AND c.embedding_space = $3
          AND c.document_id <> ALL (ARRAY (SELECT d.id FROM documents d
                                            WHERE d.knowledgebase_id = $2 AND d.status <> 'active'))
        ORDER BY c.embedding::vector(64) <=> $4::vector(64) LIMIT 10`,
      [base.userId, base.knowledgebaseId, nameOfSpace(SPACE), vector],
    );

    expect(plan.map((row) => Object.values(row).join('')).join('\n')).toContain('document_chunks_hnsw_');
  });
});

describe('the exact way', () => {
  it('sees a change of the base by its revision, and reads large bases anew each time', async () => {
    const { database } = wayOf('exact');
    const base = await seedBase(database, corpus.slice(0, 30), nameOfSpace(SPACE));
    const exact = new ExactVectorSearch(new VectorsRepository(database));
    const scope = { ...base, space: SPACE };
    const before = await exact.search(scope, 1, queries[0] ?? [], 30);
    await database.query('DELETE FROM document_chunks WHERE id = $1', [before[0]]);

    expect(await exact.search(scope, 1, queries[0] ?? [], 30)).toEqual(before);
    expect(await exact.search(scope, 2, queries[0] ?? [], 30)).toEqual(before.slice(1));
    const uncached = new ExactVectorSearch(new VectorsRepository(database), 1_000);
    expect(await uncached.search(scope, 2, queries[0] ?? [], 30)).toEqual(before.slice(1));
  });
});
