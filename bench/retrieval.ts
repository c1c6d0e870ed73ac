/**
 * Knowledge bases: how often the right passage is among the first five, how long a search takes in a base of 10,000
 * passages, and what a PDF of 1,000 pages costs. `npm run bench -- retrieval`
 *
 * The questions (bench/retrieval/pairs.json) were written for this bench, together with their passages, so that they
 * are friendlier than real ones. Vectors come from a hashing of letters, not from a model.
 */
import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { Logger } from '../src/common/observability/logger.js';
import { configFrom } from '../src/config/config-from.js';
import { parseEnvironment } from '../src/config/environment.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { Database } from '../src/database/database.js';
import { DatabaseHealthService } from '../src/database/database-health.service.js';
import { AllowancesService } from '../src/modules/allowances/allowances.service.js';
import { DailyUsageRepository } from '../src/modules/allowances/daily-usage.repository.js';
import { KnowledgebasesRepository } from '../src/modules/knowledgebases/knowledgebases.repository.js';
import { ExactVectorSearchService } from '../src/modules/knowledgebases/retrieval/exact-vector-search.service.js';
import { KnowledgeService } from '../src/modules/knowledgebases/retrieval/knowledge.service.js';
import { PassagesRepository } from '../src/modules/knowledgebases/retrieval/passages.repository.js';
import { VectorScanService } from '../src/modules/knowledgebases/retrieval/vector-scan.service.js';
import { VectorSearchService } from '../src/modules/knowledgebases/retrieval/vector-search.service.js';
import { VectorIndexesRepository } from '../src/modules/knowledgebases/retrieval/vector-indexes.repository.js';
import {
  type VectorScope,
  VectorsRepository,
} from '../src/modules/knowledgebases/retrieval/vectors.repository.js';
import { WordSearchService } from '../src/modules/knowledgebases/retrieval/word-search.service.js';
import { type Embeddings, nameOfSpace } from '../src/providers/embeddings/embeddings.js';
import { NoEmbeddings } from '../src/providers/embeddings/no-embeddings.js';
import { clusteredVectors, seedBase, seededRandom, type SeededBase } from '../test/support/chunk-seed.js';
import { startDatabaseServer } from '../test/support/database-server.js';
import { cloneDatabase } from '../test/support/database.js';
import { PgliteDatabase } from '../test/support/pglite-database.js';
import { HashingEmbeddings } from './retrieval/hashing-embeddings.js';
import { measurePdf } from './retrieval/pdf.js';

const FIRST = 5;
const LARGE_BASE = 10_000;
const SEARCHES = 100;
/** The thread of all searches. */
const scan = new VectorScanService();

interface Pair {
  readonly language: 'pt' | 'en';
  readonly heading: string;
  readonly text: string;
  readonly questions: readonly string[];
}

function serviceOn(database: Database, embeddings: Embeddings) {
  const vectors = new VectorsRepository(database);
  const logger = Logger.create('warn');
  const indexes = new VectorIndexesRepository(database);
  const exact = new ExactVectorSearchService(vectors, scan);
  const search = new VectorSearchService(embeddings, exact, vectors, indexes, logger);
  const passages = new PassagesRepository(database);
  const words = new WordSearchService(passages);
  const bases = new KnowledgebasesRepository(database);
  const { limits } = configFrom(parseEnvironment({}));
  const allowances = new AllowancesService(new DailyUsageRepository(database), limits);
  return {
    search,
    words,
    indexes,
    service: new KnowledgeService(bases, passages, words, search, embeddings, allowances, logger),
  };
}

async function measureQuality(database: Database): Promise<void> {
  const pairs = JSON.parse(
    await readFile(new URL('retrieval/pairs.json', import.meta.url), 'utf8'),
  ) as Pair[];
  const embeddings = new HashingEmbeddings();
  const vectors = await embeddings.embed(pairs.map(({ heading, text }) => `${heading}\n${text}`));
  const base = await seedBase(
    database,
    pairs.map(({ language, heading, text }, index) => ({
      heading,
      content: text,
      language: language === 'pt' ? 'portuguese' : 'english',
      embedding: vectors[index],
    })),
    nameOfSpace(embeddings.space),
  );
  const words = serviceOn(database, new NoEmbeddings()).service;
  const { service: fused, search } = serviceOn(database, embeddings);
  const textById = new Map(
    (
      await database.query<{ id: string; content: string }>(
        'SELECT id, content FROM document_chunks WHERE document_id = $1',
        [base.documentId],
      )
    ).map(({ id, content }) => [id, content]),
  );
  const searched = { revision: 0, passages: pairs.length };
  const ask = {
    words: async (question: string) =>
      (await words.search(base.userId, base.knowledgebaseId, question)).map(({ text }) => text),
    vectors: async (question: string) => {
      const [vector = []] = await embeddings.embed([question]);
      const ids = await search.search({ ...base, space: embeddings.space }, searched, vector, FIRST);
      return ids.map((id) => textById.get(id) ?? '');
    },
    fused: async (question: string) =>
      (await fused.search(base.userId, base.knowledgebaseId, question)).map(({ text }) => text),
  };
  const questions = pairs.flatMap(({ questions, text, language }) =>
    questions.map((question) => ({ question, text, language })),
  );
  console.log(
    `\nRecall@${FIRST} and @1, ${questions.length} questions on ${pairs.length} passages, one base`,
  );
  for (const [name, find] of Object.entries(ask)) {
    const hits = { all: 0, first: 0, pt: 0, en: 0 };
    const missed: string[] = [];
    for (const { question, text, language } of questions) {
      const found = (await find(question)).findIndex((passage) => passage.includes(text));
      if (found === 0) hits.first++;
      if (found >= 0) {
        hits.all++;
        hits[language]++;
      } else missed.push(question);
    }
    const share = (count: number, of: number) => (count / of).toFixed(3);
    const of = (language: string) => questions.filter((other) => other.language === language).length;
    console.log(
      `  ${name.padEnd(8)} @${FIRST} ${share(hits.all, questions.length)}  (pt ${share(hits.pt, of('pt'))}, en ${share(hits.en, of('en'))})  @1 ${share(hits.first, questions.length)}`,
    );
    if (process.argv.includes('--missed'))
      for (const question of missed) console.log(`      missed: ${question}`);
  }
}

/** Passages of 120 words, frequent ones and rare ones as in a language (Zipf), each with a vector. */
function largeCorpus(dimensions: number) {
  const random = seededRandom(5);
  const word = () => `palavra${Math.floor(20_000 ** random())}`;
  const vectors = clusteredVectors(LARGE_BASE, dimensions, 11);
  const text = (length: number) => Array.from({ length }, word).join(' ');
  return {
    chunks: vectors.map((embedding) => ({ content: text(120), language: 'portuguese', embedding })),
    questions: Array.from({ length: SEARCHES }, () => text(7)),
    queries: clusteredVectors(SEARCHES, dimensions, 12),
  };
}

/** Processor time of this process and of its database connections, which says more than the clock on a busy machine. */
async function cpuMs(database: Database): Promise<number> {
  const backends = await database.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid IS NOT NULL',
  );
  const { user, system } = process.cpuUsage();
  const ticks = await Promise.all(
    backends.map(async ({ pid }) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return pid > 1 && stat !== '' ? Number(fields[11]) + Number(fields[12]) : 0;
    }),
  );
  return (user + system) / 1_000 + ticks.reduce((sum, count) => sum + count * 10, 0);
}

async function time(
  database: Database,
  name: string,
  run: (index: number) => Promise<unknown>,
): Promise<void> {
  for (let index = 0; index < 10; index++) await run(index);
  const cpuBefore = await cpuMs(database);
  const times: number[] = [];
  for (let index = 0; index < SEARCHES; index++) {
    const startedAt = performance.now();
    await run(index);
    times.push(performance.now() - startedAt);
  }
  const cpuEach = ((await cpuMs(database)) - cpuBefore) / SEARCHES;
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1).padStart(6);
  console.log(
    `  ${name.padEnd(34)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   p99 ${at(0.99)} ms   processor ${cpuEach.toFixed(1)} ms each`,
  );
}

class FixedEmbeddings extends HashingEmbeddings {
  constructor(
    dimensions: number,
    private readonly vectors: ReadonlyMap<string, number[]>,
  ) {
    super();
    Object.assign(this, { space: { model: 'fixed', dimensions } });
  }

  override embed(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => this.vectors.get(text) ?? []));
  }
}

/** How much of what is truly nearest the index finds, and what reading and sorting the whole base in SQL costs. */
async function compareWithSorting(
  database: Database,
  scope: VectorScope,
  search: VectorSearchService,
  queries: readonly number[][],
): Promise<void> {
  const sorted = (vector: readonly number[]) =>
    database.query<{ id: string }>(
      `SELECT id FROM document_chunks WHERE knowledgebase_id = $1
        ORDER BY (embedding::vector(${scope.space.dimensions}) <=> $2::vector(${scope.space.dimensions})) + 0 LIMIT 50`,
      [scope.knowledgebaseId, `[${vector.join(',')}]`],
    );
  await time(database, 'reference: all sorted in SQL', (index) => sorted(queries[index] ?? []));
  let found = 0;
  for (const query of queries) {
    const best = new Set((await sorted(query)).map(({ id }) => id));
    const ids = await search.search(scope, { revision: 0, passages: LARGE_BASE }, query, 50);
    found += ids.filter((id) => best.has(id)).length;
  }
  console.log(`  the index finds ${((found / queries.length / 50) * 100).toFixed(2)} % of the 50 nearest`);
}

async function measureLatency(name: string, database: Database, dimensions: number): Promise<void> {
  const { chunks, questions, queries } = largeCorpus(dimensions);
  const embeddings = new FixedEmbeddings(
    dimensions,
    new Map(questions.map((question, index) => [question, queries[index] ?? []])),
  );
  const { service, search, words, indexes } = serviceOn(database, embeddings);
  const startedAt = performance.now();
  const base: SeededBase = await seedBase(database, chunks, nameOfSpace(embeddings.space));
  if (await indexes.isPgvectorThere()) await indexes.build(embeddings.space);
  const way = await search.choose(embeddings.space);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `\n${name}: ${LARGE_BASE} passages, ${dimensions} dimensions, way: ${way} (prepared in ${seconds} s)`,
  );
  const scope = { ...base, space: embeddings.space };
  const searched = { revision: 0, passages: LARGE_BASE };
  const coldAt = performance.now();
  await search.search(scope, searched, queries[0] ?? [], 50);
  console.log(`  first vector search ${(performance.now() - coldAt).toFixed(0)} ms`);
  const { userId, knowledgebaseId } = base;
  await time(database, 'reference: SELECT 1', () => database.query('SELECT 1'));
  if (way === 'index') await compareWithSorting(database, scope, search, queries);
  await time(database, 'vectors', (index) => search.search(scope, searched, queries[index] ?? [], 50));
  await time(database, 'words', (index) =>
    words.search(userId, knowledgebaseId, searched, questions[index] ?? '', 50),
  );
  await time(database, 'whole search, model time left out', (index) =>
    service.search(userId, knowledgebaseId, questions[index] ?? ''),
  );
}

const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const wanted = (part: string) => only.length === 0 || only.includes(part);
const { server, stop: stopServer } = await startDatabaseServer();
try {
  const { url, drop } = await cloneDatabase(server);
  const dataSource = await new DataSource(dataSourceOptions(url, 4)).initialize();
  const database = new Database(dataSource, new DatabaseHealthService());
  const [extension] = await database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  if (wanted('quality')) await measureQuality(database);
  // A server with pgvector (PROSA_TEST_DATABASE_URL) is measured in place of the embedded one.
  if (wanted('exact') || (extension && wanted('index'))) {
    await measureLatency(`PostgreSQL with${extension ? '' : 'out'} pgvector`, database, 1_536);
  }
  await dataSource.destroy();
  await drop();
  if (wanted('index') && !extension) {
    const pglite = await PgliteDatabase.start();
    await measureLatency('PGlite (WebAssembly) with pgvector', pglite.database, 384);
    await pglite.stop();
  }
  if (wanted('pdf')) await measurePdf();
} finally {
  await scan.onApplicationShutdown();
  await stopServer();
}
