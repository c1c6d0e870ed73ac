import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IngestionService } from '../../src/modules/knowledgebases/ingestion/ingestion.service.js';
import { TEST_ENCRYPTION_KEY, TestApp, type TestAccount } from '../support/app.js';
import { makePdf } from '../support/documents.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { isFullLength } from '../support/length.js';
import { buildProduct } from '../support/prosa-process.js';

const URL = '/api/user/knowledgebases';
const PAGES = 6;
const SECTIONS = 30;
const ANSWER_DELAY_MS = 40;

let app: TestApp;
let ana: TestAccount;
let dataDir: string;
let site: LocalServer;
let model: LocalServer;
let base: number;
/** Of every process that ingests. */
let settings: Record<string, string>;
/** What happened since the last process began. */
let events: string[] = [];

const sentence = (page: number, section: number, n: number) =>
  `Frase ${n} da seção ${section} da página ${page}: o prazo é de ${page * 100 + section} dias e o código é c${page}x${section}x${n}.`;
const paragraph = (page: number, section: number) =>
  Array.from({ length: 6 }, (_, n) => sentence(page, section, n)).join(' ');

function pageOf(path: string): string {
  const number = Number(path.slice(2)) || 1;
  const sections = Array.from(
    { length: SECTIONS },
    (_, section) => `<h2>Seção ${number}.${section}</h2><p>${paragraph(number, section)}</p>`,
  );
  return `<html lang="pt"><title>Página ${number}</title><body><h1>Página ${number}</h1>${sections.join('')}
    <a href="/p${number + 1}">adiante</a></body></html>`;
}

/** Vectors that are the same for the same text. */
function vectorOf(text: string): number[] {
  const vector = [1, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) vector[i % 8] = (vector[i % 8] ?? 0) + text.charCodeAt(i) / 1_000;
  return vector;
}

beforeAll(async () => {
  await buildProduct();
  site = await LocalServer.start(async ({ path }, response) => {
    events.push('page');
    await sleep(ANSWER_DELAY_MS);
    if (path === '/robots.txt') response.writeHead(404).end();
    else if (Number(path.slice(2)) > PAGES) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(path));
  });
  model = await LocalServer.start(async ({ body }, response) => {
    events.push('embedding');
    await sleep(ANSWER_DELAY_MS);
    const { input } = JSON.parse(body) as { input: string[] };
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    answerJson(response, { object: 'list', model: 'm', data, usage: { prompt_tokens: 0, total_tokens: 0 } });
  });
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-kill-'));
  settings = {
    DATA_DIR: dataDir,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    EMBEDDINGS_MODEL: 'm',
    EMBEDDINGS_DIMENSIONS: '8',
    EMBEDDINGS_BASE_URL: `${model.url}/v1`,
  };
  app = await TestApp.start(settings);
  ana = await app.account();
  const { body } = await app.as(ana).post(URL).send({ name: 'Base' }).expect(201);
  base = body.data.id;
}, 120_000);

afterAll(async () => {
  await app.stop();
  await site.stop();
  await model.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function startIngestion(document: number): Promise<ChildProcess> {
  events = [];
  const child = fork('test/support/ingestion-process.mjs', [String(document)], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      PROSA_ROLES: 'api',
      DATABASE_URL: app.database.url,
      DATABASE_POOL_SIZE: '4',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ...settings,
    },
  });
  await once(child, 'message');
  return child;
}

/** Undisturbed, in the process of the test: one of its own takes seconds to start. */
const ingest = (document: number) =>
  app.app.get(IngestionService, { strict: false }).ingest({ documentId: document });

/** Undisturbed, in a process of its own. */
async function ingestElsewhere(document: number): Promise<void> {
  const child = await startIngestion(document);
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

/** Ends the process without notice once `isDue` says so. False when it was faster. */
async function killWhen(document: number, isDue: () => boolean, delayMs: number): Promise<boolean> {
  const child = await startIngestion(document);
  const exited = once(child, 'exit');
  while (!isDue() && child.exitCode === null) await sleep(1);
  await sleep(delayMs);
  const isAlive = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isAlive;
}

const count = (event: string) => events.filter((other) => other === event).length;

async function add(details: object): Promise<number> {
  const { body } = await app.as(ana).post(`${URL}/${base}/documents`).send(details).expect(201);
  return body.data.id;
}

async function addPdf(content: Buffer): Promise<number> {
  const { body } = await app
    .as(ana)
    .post(`${URL}/${base}/documents`)
    .field({ name: 'PDF', type: 'pdf' })
    .attach('file', content, 'a.pdf')
    .expect(201);
  return body.data.id;
}

/** All that an ingestion leaves, without ids. */
async function resultOf(document: number): Promise<unknown> {
  const chunks = await app.query(
    `SELECT s.url, c.position, c.heading, c.content, c.page, c.tokens, c.language, c.search::text, c.embedding,
            c.embedding_space
       FROM document_chunks c JOIN document_sources s ON s.id = c.source_id
      WHERE c.document_id = $1 ORDER BY s.position, c.position`,
    [document],
  );
  const sources = await app.query(
    `SELECT position, url, canonical_url, title, is_given, state, failure FROM document_sources
      WHERE document_id = $1 ORDER BY position`,
    [document],
  );
  const [row] = await app.query(
    `SELECT status, progress_percent, failure, chunks_count, languages, embedding_space FROM documents WHERE id = $1`,
    [document],
  );
  return { row, sources, chunks };
}

/** Ten kills at full length, else a few of them: each costs the start of a process. */
function some<T>(kills: readonly T[]): readonly T[] {
  return isFullLength ? kills : kills.filter((_, index) => index % 5 === 1);
}

describe('an ingestion that is killed again and again', () => {
  it('of a website ends as an undisturbed one', async () => {
    const details = { name: 'Site', type: 'website', url: `${site.url}/p1`, relative_links_limit: 10 };
    const undisturbed = await add(details);
    await ingest(undisturbed);
    const disturbed = await add(details);
    const kills = some<[event: string, nth: number, delayMs: number]>([
      ['page', 1, 0],
      ['page', 2, 20],
      ['page', 2, ANSWER_DELAY_MS + 60],
      ['page', 3, 5],
      ['page', 3, ANSWER_DELAY_MS + 25],
      ['page', 4, 0],
      ['embedding', 1, 0],
      ['embedding', 1, ANSWER_DELAY_MS + 3],
      ['embedding', 2, 10],
      ['embedding', 1, ANSWER_DELAY_MS + 8],
    ]);

    const killed: boolean[] = [];
    for (const [event, nth, delayMs] of kills) {
      killed.push(await killWhen(disturbed, () => count(event) >= nth, delayMs));
    }
    await ingest(disturbed);

    expect(killed).toEqual(kills.map(() => true));
    const result = await resultOf(disturbed);
    expect(result).toEqual(await resultOf(undisturbed));
    expect(result).toMatchObject({
      row: { status: 'active', progress_percent: 100, embedding_space: 'm/8' },
    });
    expect((result as { chunks: unknown[] }).chunks.length).toBeGreaterThanOrEqual((PAGES * SECTIONS) / 3);
  }, 120_000);

  it('of a PDF ends as an undisturbed one', async () => {
    const sections = Array.from({ length: 30 }, (_, page) => ({
      heading: `Capítulo ${page}`,
      paragraphs: [paragraph(page, 1), paragraph(page, 2)],
    }));
    const pdf = await makePdf(sections, 'Regulamento');
    const undisturbed = await addPdf(pdf);
    await ingest(undisturbed);
    const disturbed = await addPdf(pdf);

    let kills = 0;
    const early = some([0, 20, 60, 120, 200, 300, 400]);
    const late = some([0, 10, ANSWER_DELAY_MS]);
    for (const delayMs of early) {
      if (await killWhen(disturbed, () => true, delayMs)) kills++;
    }
    for (const delayMs of late) {
      if (await killWhen(disturbed, () => count('embedding') > 0, delayMs)) kills++;
    }
    await ingest(disturbed);

    expect(kills).toBe(early.length + late.length);
    expect(await resultOf(disturbed)).toEqual(await resultOf(undisturbed));
  }, 120_000);

  it('changes nothing when a document is ingested again, or twice at once', async () => {
    const details = { name: 'Site', type: 'website', url: `${site.url}/p5`, relative_links_limit: 10 };
    const once = await add(details);
    await ingest(once);
    const before = await resultOf(once);
    await ingest(once);
    const twice = await add(details);

    await Promise.all([ingestElsewhere(twice), ingest(twice)]);

    expect(await resultOf(once)).toEqual(before);
    expect(await resultOf(twice)).toEqual(before);
  }, 120_000);

  it('ends without an error when its document is deleted during the ingestion, and leaves nothing', async () => {
    const document = await add({
      name: 'Site',
      type: 'website',
      url: `${site.url}/p1`,
      relative_links_limit: 10,
    });
    const child = await startIngestion(document);
    const exited = once(child, 'exit');
    while (count('page') < 3) await sleep(1);

    await app.as(ana).delete(`${URL}/${base}/documents/${document}`).expect(200);

    const [code] = await exited;
    expect(code).toBe(0);
    const [left] = await app.query(
      `SELECT (SELECT count(*)::integer FROM document_chunks WHERE document_id = $1) AS chunks,
              (SELECT count(*)::integer FROM document_sources WHERE document_id = $1) AS sources`,
      [document],
    );
    expect(left).toEqual({ chunks: 0, sources: 0 });
  }, 120_000);
});
