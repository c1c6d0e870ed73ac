import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IngestionRepository } from '../../src/modules/knowledgebases/ingestion/ingestion.repository.js';
import { IngestionService } from '../../src/modules/knowledgebases/ingestion/ingestion.service.js';
import { KnowledgeService } from '../../src/modules/knowledgebases/retrieval/knowledge.service.js';
import { TestApp, type TestAccount } from '../support/app.js';
import { makeDocx, makePdf, makeScannedPdf } from '../support/documents.js';
import { LocalServer } from '../support/http-server.js';

const URL = '/api/user/knowledgebases';

let app: TestApp;
let site: LocalServer;
let dataDir: string;
let ana: TestAccount;

const page = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="pt"><head><meta charset="utf-8"><title>${title}</title>${head}</head>
   <body><nav><a href="/">Início</a> <a href="/entrega">Entrega</a> <a href="/segredo">Segredo</a></nav>
   <main><h1>${title}</h1>${body}</main><footer>Padaria Central, todos os direitos reservados</footer></body></html>`;

/** A page of a theme that names one address for all of its pages. */
const themed = (canonical: string, body: string) =>
  `<!doctype html><html lang="pt"><head><title>Oficina</title><link rel="canonical" href="${canonical}"></head>
   <body><main>${body}</main><footer><p>Telefone do rodapé: 11 4002-8922</p></footer></body></html>`;

const leadingTo = (url: string): [number, Record<string, string>, string] => [
  200,
  { 'content-type': 'text/html' },
  `<head><meta http-equiv="refresh" content="0; url=${url}"></head><body><p>Redirecionando…</p></body>`,
];

/** Path to status, headers and body. */
const pages: Record<string, () => [number, Record<string, string>, string]> = {
  '/robots.txt': () => [200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /segredo\n'],
  '/': () => [
    200,
    { 'content-type': 'text/html' },
    page(
      'Padaria Central',
      `<p>Somos uma padaria de bairro desde 1974.</p><p>Veja a <a href="/entrega?utm_source=home#topo">entrega</a>,
       <a href="/copia">a cópia</a>, o <a href="/cardapio.jpg">cardápio</a> e <a href="https://example.com/fora">outro site</a>.</p>`,
    ),
  ],
  '/entrega': () => [
    200,
    { 'content-type': 'text/html; charset=utf-8' },
    page(
      'Entrega',
      '<p>A taxa de entrega para o bairro Jardim das Acácias é de sete reais.</p><a href="/horarios">Horários</a>',
    ),
  ],
  '/copia': () => [
    200,
    { 'content-type': 'text/html' },
    page(
      'Entrega',
      '<p>A taxa de entrega para o bairro Jardim das Acácias é de sete reais.</p>',
      '<link rel="canonical" href="/entrega">',
    ),
  ],
  '/horarios': () => [
    200,
    { 'content-type': 'text/html' },
    page('Horários', '<p>Aos domingos fechamos ao meio-dia.</p>'),
  ],
  '/segredo': () => [
    200,
    { 'content-type': 'text/html' },
    page('Segredo', '<p>A receita secreta leva cardamomo.</p>'),
  ],
  '/tema': () => [
    200,
    { 'content-type': 'text/html' },
    themed(
      '/tema',
      `<h1>Oficina</h1><p>Bem-vindo à oficina do bairro, aberta desde 1990.</p>
       ${[1, 2, 3, 4, 5].map((n) => `<a href="/tema?ordem=${n}">ordem ${n}</a>`).join(' ')}
       <a href="/tema/um">um</a> <a href="/tema/dois">dois</a>`,
    ),
  ],
  '/tema/um': () => [
    200,
    { 'content-type': 'text/html' },
    themed('/tema', '<h1>Pintura</h1><p>A pintura de carros leva quatro dias.</p>'),
  ],
  '/tema/dois': () => [
    200,
    { 'content-type': 'text/html' },
    themed('/tema', '<h1>Vidros</h1><p>O polimento de vidros custa setenta reais.</p>'),
  ],
  '/mudou': () => leadingTo('/horarios'),
  '/para-dentro': () => leadingTo('http://169.254.169.254/latest/meta-data'),
  '/para-nada': () => leadingTo('/erro'),
  '/ida': () => leadingTo('/vinda'),
  '/vinda': () => leadingTo('/ida'),
  '/aplicativo': () => [
    200,
    { 'content-type': 'text/html' },
    '<body><div id="root">Carregando…</div><script src="/app.js"></script></body>',
  ],
  '/volta': () => [302, { location: '/volta' }, ''],
  '/erro': () => [404, { 'content-type': 'text/html' }, page('Não existe', '<p>Nada</p>')],
  '/imagem': () => [200, { 'content-type': 'text/html' }, '\u0089PNG\u0000\u0000'],
};

beforeAll(async () => {
  site = await LocalServer.start(({ path }, response) => {
    const [status, headers, body] = pages[path.split('?')[0]?.replace(/(.)\/$/, '$1') ?? '']?.() ?? [
      404,
      {},
      '',
    ];
    response.writeHead(status, headers).end(body);
  });
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-ingestion-test-'));
  app = await TestApp.start({
    DATA_DIR: dataDir,
    PROSA_ROLES: 'api,worker',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  });
  ana = await app.account();
});

afterAll(async () => {
  await app.stop();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function createBase(): Promise<number> {
  const { body } = await app.as(ana).post(URL).send({ name: 'Padaria' }).expect(201);
  return body.data.id;
}

async function addFile(base: number, type: string, content: Buffer, name = type): Promise<number> {
  const { body } = await app
    .as(ana)
    .post(`${URL}/${base}/documents`)
    .field({ name, type })
    .attach('file', content, 'file')
    .expect(201);
  return body.data.id;
}

async function addWebsite(base: number, details: object): Promise<number> {
  const { body } = await app
    .as(ana)
    .post(`${URL}/${base}/documents`)
    .send({ name: 'Site', type: 'website', ...details })
    .expect(201);
  return body.data.id;
}

/** The document once it is no longer being processed. */
async function finished(base: number, document: number): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { body } = await app.as(ana).get(`${URL}/${base}/documents/${document}`).expect(200);
    if (body.data.status !== 'processing') return body.data;
    if (Date.now() > deadline) throw new Error(`document ${document} is still being processed`);
    await sleep(100);
  }
}

function search(base: number, query: string) {
  return app.app.get(KnowledgeService).search(ana.userId, base, query);
}

async function left(): Promise<Record<string, number>> {
  const [counts] = await app.query<Record<string, number>>(
    `SELECT (SELECT count(*)::integer FROM knowledgebases) AS bases, (SELECT count(*)::integer FROM documents) AS documents,
            (SELECT count(*)::integer FROM document_sources) AS sources,
            (SELECT count(*)::integer FROM document_chunks) AS chunks`,
  );
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return {
    ...counts,
    files: entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length,
  };
}

describe('a base of a PDF, a Word document, a text and a website', () => {
  let base: number;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    base = await createBase();
    ids.pdf = await addFile(
      base,
      'pdf',
      await makePdf([
        {
          heading: 'Garantia',
          paragraphs: ['A garantia do forno industrial é de vinte e quatro meses a partir da compra.'],
        },
        { heading: 'Limpeza', paragraphs: ['Limpe a câmara apenas com o forno frio e um pano úmido.'] },
      ]),
      'Manual do forno',
    );
    ids.docx = await addFile(
      base,
      'docx',
      await makeDocx(
        [
          {
            heading: 'Bolos sob encomenda',
            paragraphs: ['Encomendas de bolos exigem três dias de antecedência.'],
          },
        ],
        [
          ['Bolo de nozes', 'R$ 89,00'],
          ['Bolo de cenoura', 'R$ 54,00'],
        ],
      ),
      'Encomendas',
    );
    ids.txt = await addFile(
      base,
      'txt',
      Buffer.from('# Estacionamento\n\nHá vagas gratuitas na rua dos fundos.', 'utf8'),
      'Avisos',
    );
    ids.website = await addWebsite(base, { url: `${site.url}/` });
  });

  // spec: knowledge-base.status, states.knowledge-base-active
  it('becomes active, document by document, with their progress at the end', async () => {
    for (const id of Object.values(ids)) {
      expect(await finished(base, id)).toMatchObject({
        status: 'active',
        status_reason: null,
        progress: 100,
      });
    }
    const { body } = await app.as(ana).get(`${URL}/${base}`).expect(200);
    expect(body.data).toMatchObject({ status: 'active', status_label: 'Ativo', documents_count: 4 });
  });

  it.each([
    ['Qual é a garantia do forno?', 'vinte e quatro meses', 'Manual do forno'],
    ['quanto custa o bolo de nozes', 'Bolo de nozes | R$ 89,00', 'Encomendas'],
    ['Com quantos dias devo encomendar um bolo?', 'três dias', 'Encomendas'],
    ['onde posso estacionar? tem estacionamento', 'rua dos fundos', 'Avisos'],
    ['taxa de entrega jardim das acacias', 'sete reais', 'Site'],
    ['Vocês fecham que horas no domingo?', 'meio-dia', 'Site'],
  ])('answers %s from the one document that says it', async (question, answer, source) => {
    const [best] = await search(base, question);

    expect(best).toMatchObject({ source });
    expect(best?.text).toContain(answer);
  });

  it('names page and headings of a passage of a PDF, and the address of one of a website', async () => {
    const [manual] = await search(base, 'limpeza da câmara');
    const [delivery] = await search(base, 'taxa de entrega');

    expect(manual).toMatchObject({ page: 1, url: null });
    expect(manual?.heading).toContain('Garantia');
    expect(delivery).toMatchObject({ page: null, url: `${site.url}/entrega` });
  });

  it('reads each page once, leaves menus out, and obeys robots.txt', async () => {
    const sources = await app.query<{ url: string; state: string }>(
      "SELECT replace(url, $2, '') AS url, state FROM document_sources WHERE document_id = $1 ORDER BY position",
      [ids.website, site.url],
    );
    const visited = site.requests.map(({ path }) => path);

    expect(sources).toEqual([
      { url: '/', state: 'done' },
      { url: '/entrega', state: 'done' },
      { url: '/segredo', state: 'failed' },
      { url: '/copia', state: 'skipped' },
      { url: '/horarios', state: 'done' },
    ]);
    expect(visited).not.toContain('/segredo');
    expect(visited.filter((path) => path.startsWith('/entrega'))).toHaveLength(1);
    expect(await search(base, 'cardamomo')).toEqual([]);
    expect(await search(base, 'todos os direitos reservados')).toEqual([]);
  });

  it('keeps to the budget of tokens and to the limit', async () => {
    const service = app.app.get(KnowledgeService);
    const all = await service.search(ana.userId, base, 'forno bolo entrega vagas domingo', { limit: 10 });
    const budget = (all[0]?.tokens ?? 0) + (all[1]?.tokens ?? 0);
    const some = await service.search(ana.userId, base, 'forno bolo entrega vagas domingo', {
      limit: 10,
      budgetTokens: budget,
    });
    const one = await service.search(ana.userId, base, 'forno bolo entrega vagas domingo', { limit: 1 });

    expect(all.length).toBeGreaterThan(2);
    expect(some.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget);
    expect(one).toEqual(all.slice(0, 1));
  });

  it('finds nothing for another account', async () => {
    const bia = await app.account();

    expect(await app.app.get(KnowledgeService).search(bia.userId, base, 'garantia')).toEqual([]);
  });

  it('no longer finds what a deleted document said, and the file goes away', async () => {
    await app.as(ana).delete(`${URL}/${base}/documents/${ids.docx}`).expect(200);

    expect(await search(base, 'bolo de nozes')).toEqual([]);
    const { body } = await app.as(ana).get(`${URL}/${base}`).expect(200);
    expect(body.data).toMatchObject({ status: 'active', documents_count: 3 });
  });

  it('leaves no row, chunk, vector or file once the base is deleted', async () => {
    expect(await left()).toMatchObject({ bases: 1, documents: 3, sources: 7 });

    await app.as(ana).delete(`${URL}/${base}`).expect(200);
    const deadline = Date.now() + 20_000;
    while ((await left()).files && Date.now() < deadline) await sleep(100);

    expect(await left()).toEqual({ bases: 0, documents: 0, sources: 0, chunks: 0, files: 0 });
    expect(await app.query('SELECT * FROM file_cleanups')).toEqual([]);
    expect(await search(base, 'garantia')).toEqual([]);
  });
});

describe('a document whose job was lost', () => {
  it('is read after all, once nothing has happened to it for a while', async () => {
    const base = await createBase();
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO documents (user_id, knowledgebase_id, name, type, touched_at)
       VALUES ($1, $2, 'Esquecido', 'website', now() - interval '11 minutes') RETURNING id`,
      [ana.userId, base],
    );
    const [fresh] = await app.query<{ id: number }>(
      `INSERT INTO documents (user_id, knowledgebase_id, name, type, attempts, touched_at)
       VALUES ($1, $2, 'Em curso', 'website', 1, now() - interval '9 minutes') RETURNING id`,
      [ana.userId, base],
    );
    const id = row?.id ?? 0;
    await app.query(
      `INSERT INTO document_sources (user_id, document_id, version, position, url, is_given)
       VALUES ($1, $2, 1, 0, $3, true)`,
      [ana.userId, id, `${site.url}/horarios`],
    );

    await app.app.get(IngestionService).wakeForgotten();

    expect(await finished(base, id)).toMatchObject({ status: 'active', progress: 100 });
    const { body } = await app.as(ana).get(`${URL}/${base}/documents/${fresh?.id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'processing', progress: 0 });
    await app.as(ana).delete(`${URL}/${base}`).expect(200);
  });
});

it('wakes a lost document of each account before the next one of another account', async () => {
  const [base, bea] = [await createBase(), await app.account()];
  const insert = async (userId: number, knowledgebaseId: number, minutes: number) => {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO documents (user_id, knowledgebase_id, name, type, attempts, touched_at)
       VALUES ($1, $2, 'Esquecido', 'website', 1, now() - $3 * interval '1 minute') RETURNING id`,
      [userId, knowledgebaseId, minutes],
    );
    return row?.id ?? 0;
  };
  await insert(ana.userId, base, 30);
  const second = await insert(ana.userId, base, 29);
  const { body } = await app.as(bea).post(URL).send({ name: 'Base' }).expect(201);
  const other = await insert(bea.userId, body.data.id, 11);
  const readings = app.app.get(IngestionRepository, { strict: false });
  const found = await readings.findForgotten(600_000, null, 100);
  expect(found.filter((id) => [second, other].includes(id))).toEqual([other, second]);
  await app.as(ana).delete(`${URL}/${base}`).expect(200);
});

it('starts a document that no process has begun to read within half a minute', async () => {
  const base = await createBase();
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO documents (user_id, knowledgebase_id, name, type, touched_at)
     VALUES ($1, $2, 'Esquecido', 'website', now() - interval '40 seconds') RETURNING id`,
    [ana.userId, base],
  );
  const id = row?.id ?? 0;
  await app.query(
    `INSERT INTO document_sources (user_id, document_id, version, position, url, is_given)
     VALUES ($1, $2, 1, 0, $3, true)`,
    [ana.userId, id, `${site.url}/horarios`],
  );
  await app.app.get(IngestionService).wakeForgotten();
  expect(await finished(base, id)).toMatchObject({ status: 'active', progress: 100 });
});

describe('pages of a website under several addresses', () => {
  const stateOf = (document: number) =>
    app.query<{ url: string; state: string }>(
      "SELECT replace(url, $2, '') AS url, state FROM document_sources WHERE document_id = $1 ORDER BY position",
      [document, site.url],
    );

  it('are all read when the user named them, whatever address they give themselves', async () => {
    const base = await createBase();
    const links = ['/tema/um', '/tema/dois', '/tema/dois/'].map((path) => ({ link: `${site.url}${path}` }));
    const document = await addWebsite(base, { links });

    expect(await finished(base, document)).toMatchObject({ status: 'active', status_reason: null });
    expect((await search(base, 'pintura de carros'))[0]).toMatchObject({ url: `${site.url}/tema/um` });
    expect(await search(base, 'polimento de vidros')).toHaveLength(1);
    expect((await stateOf(document)).map(({ state }) => state)).toEqual(['done', 'done', 'skipped']);
  });

  it('are read when a link leads to them, unless the page that they name says the same', async () => {
    const base = await createBase();
    const document = await addWebsite(base, { url: `${site.url}/tema`, relative_links_limit: 2 });

    await finished(base, document);

    expect(await stateOf(document)).toEqual([
      { url: '/tema', state: 'done' },
      { url: '/tema?ordem=1', state: 'skipped' },
      { url: '/tema?ordem=2', state: 'skipped' },
      { url: '/tema?ordem=3', state: 'skipped' },
      { url: '/tema?ordem=4', state: 'skipped' },
      { url: '/tema?ordem=5', state: 'skipped' },
      { url: '/tema/um', state: 'done' },
      { url: '/tema/dois', state: 'done' },
    ]);
    expect(await search(base, 'telefone do rodapé')).toHaveLength(1);
  });
});

describe('a page that leads on by itself', () => {
  it('is that other page', async () => {
    const base = await createBase();
    await finished(base, await addWebsite(base, { links: [{ link: `${site.url}/mudou` }] }));

    expect((await search(base, 'meio-dia domingos'))[0]?.text).toContain('fechamos');
  });

  it.each([
    ['to an address that is not public', '/para-dentro', 'address_not_allowed'],
    ['to itself and back', '/ida', 'too_many_redirects'],
    ['to a page that is not there', '/para-nada', 'http_status'],
  ])('fails with a reason when it leads %s', async (_, path, code) => {
    const base = await createBase();
    const document = await finished(
      base,
      await addWebsite(base, { links: [{ link: `${site.url}${path}` }] }),
    );

    expect(document).toMatchObject({ status: 'failed', status_reason_code: code });
  });
});

it('says why a page that scripts draw is not read', async () => {
  const base = await createBase();
  const document = await finished(
    base,
    await addWebsite(base, { links: [{ link: `${site.url}/aplicativo` }] }),
  );

  expect(document).toMatchObject({ status: 'failed', status_reason_code: 'scripted' });
});

it('names the page of a website that could not be read while another was', async () => {
  const base = await createBase();
  const links = ['/horarios', '/erro'].map((path) => ({ link: `${site.url}${path}` }));

  const document = await finished(base, await addWebsite(base, { links }));

  expect(document).toMatchObject({
    status: 'active',
    status_reason: `1 de 2 páginas (${site.url}/erro): O site respondeu com o erro HTTP 404.`,
    status_reason_code: 'http_status',
    status_reason_value: 404,
    unread: [{ code: 'http_status', value: 404, pages: [`${site.url}/erro`], count: 1, total: 2 }],
  });
});

describe('documents that cannot be read', () => {
  let base: number;

  beforeAll(async () => {
    base = await createBase();
  });

  it.each([
    ['a scanned PDF', 'pdf', makeScannedPdf, 'apenas imagens'],
    ['a damaged PDF', 'pdf', async () => (await makePdf([])).subarray(0, 200), 'danificado'],
    [
      'a Word document that is another zip',
      'docx',
      async () => Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
      '',
    ],
    ['a text of blanks', 'txt', async () => Buffer.from(' \n\n '), 'não tem texto'],
  ])('fail with a reason: %s', async (_, type, make, reason) => {
    const content = await make();
    const sent = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .field({ name: 'Ruim', type })
      .attach('file', content, 'file');
    if (sent.status === 422) return expect(reason).toBe('');

    const document = await finished(base, sent.body.data.id);

    expect(document).toMatchObject({ status: 'failed', status_label: 'Falhou', progress: 100 });
    expect(document.status_reason).toContain(reason);
  });

  it.each([
    ['a page that is not there', '/erro', 'HTTP 404', 'http_status', 404],
    ['a page that redirects for ever', '/volta', 'redireciona', 'too_many_redirects', null],
    ['a picture', '/imagem', 'página de texto', 'not_a_page', null],
    ['a page robots may not read', '/segredo', 'robots.txt', 'robots', null],
  ])('fail with a reason in words, and in a code: %s', async (_, path, reason, code, value) => {
    const document = await finished(base, await addWebsite(base, { url: `${site.url}${path}` }));

    expect(document).toMatchObject({
      status: 'failed',
      status_reason: expect.stringContaining(reason),
      status_reason_code: code,
      status_reason_value: value,
    });
  });

  it('fails with a reason for an address that is not public', async () => {
    const document = await finished(
      base,
      await addWebsite(base, { url: 'http://169.254.169.254/latest/meta-data' }),
    );

    expect(document.status_reason).toContain('não é pública');
  });

  it('make the base fail when there is no other document, and not otherwise', async () => {
    const failed = await app.as(ana).get(`${URL}/${base}`).expect(200);
    const good = await addFile(base, 'txt', Buffer.from('Um aviso que se lê.'));
    await finished(base, good);
    const active = await app.as(ana).get(`${URL}/${base}`).expect(200);

    expect(failed.body.data).toMatchObject({ status: 'failed', status_label: 'Falhou' });
    expect(active.body.data.status).toBe('active');
  });
});
