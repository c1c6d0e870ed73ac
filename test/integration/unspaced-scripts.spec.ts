import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '../../src/common/observability/logger.js';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { DatabaseHealthService } from '../../src/database/database-health.service.js';
import { KnowledgebasesRepository } from '../../src/modules/knowledgebases/knowledgebases.repository.js';
import { WordReindexRepository } from '../../src/modules/knowledgebases/reindexing/word-reindex.repository.js';
import { WordReindexService } from '../../src/modules/knowledgebases/reindexing/word-reindex.service.js';
import { PassagesRepository } from '../../src/modules/knowledgebases/retrieval/passages.repository.js';
import { WordSearchService } from '../../src/modules/knowledgebases/retrieval/word-search.service.js';
import { seedBase, type SeededBase } from '../support/chunk-seed.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

/** Passages by position, and questions with the position of their answer. */
const PASSAGES = [
  '店舗の駐車場は二十台まで無料でご利用いただけます。',
  '返品は商品到着後七日以内にご連絡ください。送料は当社が負担します。',
  '本店提供免费停车位，营业到晚上九点。',
  '所有商品自购买之日起三十天内可以退货。',
  '배송비는 오만원 이상 구매하시면 무료입니다.',
  'ร้านอาหารเปิดทุกวันตั้งแต่เก้าโมงเช้า',
  'คืนสินค้าได้ภายในสามสิบวันหลังจากซื้อ',
  'ຮ້ານອາຫານເປີດທຸກມື້ຕອນເຊົ້າ',
  'ភោជនីយដ្ឋានបើករាល់ថ្ងៃពីព្រឹក',
  'The shop is open from nine to six.',
  'O guarda-roupa custa R$ 900.',
];
const QUESTIONS = [
  ['駐車場', 0],
  ['返品の送料', 1],
  ['免费停车', 2],
  ['退货', 3],
  ['배송비', 4],
  ['ร้านอาหาร', 5],
  ['คืนสินค้า', 6],
  ['ທຸກມື້', 7],
  ['រាល់ថ្ងៃ', 8],
  ['ｏｐｅｎ', 9],
  ['guardaroupa', 10],
] as const;

let server: TestDatabase;
let dataSource: DataSource;
let database: Database;
let base: SeededBase;

beforeAll(async () => {
  server = await cloneDatabase();
  dataSource = await new DataSource(dataSourceOptions(server.url, 4)).initialize();
  database = new Database(dataSource, new DatabaseHealthService());
  base = await seedBase(
    database,
    PASSAGES.map((content) => ({ content })),
  );
}, 60_000);

afterAll(async () => {
  await dataSource.destroy();
  await server.drop();
});

/** Position of the passage that is found first. */
async function find(question: string, revision = 1): Promise<number | undefined> {
  const words = new WordSearchService(new PassagesRepository(database));
  const { userId, knowledgebaseId } = base;
  const searched = { revision, passages: PASSAGES.length };
  const [id] = await words.search(userId, knowledgebaseId, searched, question, 3);
  if (id === undefined) return undefined;
  const [row] = await database.query<{ position: number }>(
    'SELECT position FROM document_chunks WHERE id = $1',
    [id],
  );
  return row?.position;
}

describe('a word within a sentence', () => {
  it.each(QUESTIONS)('is found: %s', async (question, position) => {
    expect(await find(question)).toBe(position);
  });
});

describe('passages that an older version has indexed', () => {
  const reindex = () =>
    new WordReindexService(
      new WordReindexRepository(database),
      new KnowledgebasesRepository(database),
      database,
      Logger.create('silent'),
    ).reindexOutdated();

  it('are found by whole words until they are indexed again, and then by words within sentences', async () => {
    await database.query(
      `UPDATE document_chunks SET search = words_of_knowledgebase($1, to_tsvector('simple', content)) WHERE document_id = $2`,
      [base.knowledgebaseId, base.documentId],
    );
    const english = "SELECT search::text FROM document_chunks WHERE content LIKE 'The shop%'";
    const [before] = await database.query<{ search: string }>(english);
    expect(await find('駐車場')).toBeUndefined();
    expect(await find('open')).toBe(9);

    await reindex();

    expect(await find('駐車場', 2)).toBe(0);
    expect(await find('ร้านอาหาร', 2)).toBe(5);
    expect(await database.query(english)).toEqual([before]);
    const [{ revision } = { revision: 0 }] = await database.query<{ revision: number }>(
      'SELECT revision FROM knowledgebases WHERE id = $1',
      [base.knowledgebaseId],
    );
    expect(revision).toBeGreaterThan(0);
  });

  it('are looked through once, and again when an older process has read the document anew', async () => {
    expect(await reindex()).toBe(0);

    await database.query('UPDATE documents SET version = version + 1 WHERE id = $1', [base.documentId]);

    expect(await reindex()).toBe(1);
    expect(await reindex()).toBe(0);
  });
});
