import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp, type TestAccount } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { makeDocx, makePdf } from '../support/documents.js';

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const BASE_404 = { error: 'Base de conhecimento não encontrada' };
const DOCUMENT_404 = { error: 'Documento não encontrado' };
const URL = '/api/user/knowledgebases';

let app: TestApp;
let dataDir: string;
let ana: TestAccount;
let bia: TestAccount;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-kb-'));
  app = await TestApp.start({ DATA_DIR: dataDir });
  ana = await app.account();
  bia = await app.account();
});

afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function createBase(account = ana, body: object = { name: 'Produtos' }): Promise<number> {
  const created = await app.as(account).post(URL).send(body).expect(201);
  return created.body.data.id;
}

async function addWebsite(base: number): Promise<number> {
  const created = await app
    .as(ana)
    .post(`${URL}/${base}/documents`)
    .send({ name: 'Site', type: 'website', url: 'https://example.com' })
    .expect(201);
  return created.body.data.id;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

describe('POST /user/knowledgebases', () => {
  // spec: knowledge-base.status_label
  it('answers 201 {message, data} with an empty base', async () => {
    const { body } = await app
      .as(ana)
      .post(URL)
      .send({ name: 'Preços', description: 'Tabela de 2026' })
      .expect(201);

    expect(body).toEqual({
      message: 'Base de conhecimento criada com sucesso',
      data: {
        id: expect.any(Number),
        name: 'Preços',
        description: 'Tabela de 2026',
        status: 'empty',
        status_label: 'Vazio',
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    });
  });

  it('takes a base without a description', async () => {
    const { body } = await app.as(ana).post(URL).send({ name: 'Só nome' }).expect(201);

    expect(body.data.description).toBe('');
  });

  it.each([
    ['a missing name', {}, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name longer than 255', { name: 'a'.repeat(256) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['a description longer than 255', { name: 'a', description: 'b'.repeat(256) }, 'description'],
    ['a description with NUL', { name: 'a', description: 'b\0' }, 'description'],
  ])('answers 422 with errors for %s', async (_, sent, field) => {
    const { body } = await app.as(ana).post(URL).send(sent).expect(422);

    expect(body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
  });

  it('refuses more bases than the plan allows, also when they are asked for at once', async () => {
    const account = await app.account();
    await app.query(
      `WITH plan AS (INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel,
                                        max_knowledgebases) VALUES ('two', 'Two', 1, 1, 1, 1, 2) RETURNING id)
       UPDATE users SET plan_id = plan.id FROM plan WHERE users.id = $1`,
      [account.userId],
    );

    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        app
          .as(account)
          .post(URL)
          .send({ name: `Base ${number}` }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toEqual({ error: 'Você atingiu o limite de 2 bases de conhecimento do seu plano' });
  });

  it('answers 401 {message} without a token', async () => {
    const { body } = await app.http.post(URL).send({ name: 'x' }).expect(401);

    expect(body).toEqual({ message: expect.any(String) });
  });
});

describe('GET /user/knowledgebases', () => {
  // spec: knowledge-base.status-values-other
  it('lists own bases under data, with their counts', async () => {
    const account = await app.account();
    const first = await createBase(account, { name: 'Primeira' });
    await createBase(account, { name: 'Segunda' });
    await createAssistant(app, account, { knowledgebase_id: first, knowledgebase_mode: 'function_call' });

    const { body } = await app.as(account).get(URL).expect(200);

    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Primeira', 'Segunda']);
    expect(body.data[0]).toEqual({
      id: first,
      name: 'Primeira',
      description: '',
      status: 'empty',
      status_label: 'Vazio',
      documents_count: 0,
      assistants_count: 1,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
  });

  it('reads one under data, and counts its documents', async () => {
    const base = await createBase();
    await addWebsite(base);

    const { body } = await app.as(ana).get(`${URL}/${base}`).expect(200);

    expect(body.data).toMatchObject({
      id: base,
      documents_count: 1,
      assistants_count: 0,
      status: 'processing',
      status_label: 'Processando',
    });
  });
});

describe('PUT /user/knowledgebases/{id}', () => {
  // spec: knowledge-base.id, update-knowledge-base.route, update-knowledge-base.name
  // spec: update-knowledge-base.success
  it('changes what is sent and answers {message, data} of six fields', async () => {
    const base = await createBase(ana, { name: 'Antes', description: 'fica' });

    const { body } = await app.as(ana).put(`${URL}/${base}`).send({ name: 'Depois' }).expect(200);

    expect(body).toEqual({
      message: 'Base de conhecimento atualizada com sucesso',
      data: {
        id: base,
        name: 'Depois',
        description: 'fica',
        status: 'empty',
        status_label: 'Vazio',
        updated_at: expect.stringMatching(ISO),
      },
    });
  });

  // spec: states.knowledge-base-put
  it('does not affect documents and processing status', async () => {
    const base = await createBase();
    await addWebsite(base);

    const { body } = await app.as(ana).put(`${URL}/${base}`).send({ description: 'nova' }).expect(200);

    expect(body.data.status).toBe('processing');
  });

  // spec: knowledge-base.name, knowledge-base.description, update-knowledge-base.name
  // spec: update-knowledge-base.too-long-name, limits.knowledge-base-name
  it.each([
    ['a too long name', { name: 'a'.repeat(256) }, 'name'],
    ['a null name', { name: null }, 'name'],
    ['a too long description', { description: 'a'.repeat(256) }, 'description'],
  ])('answers 422 with errors for %s', async (_, sent, field) => {
    const base = await createBase();

    const { body } = await app.as(ana).put(`${URL}/${base}`).send(sent).expect(422);

    expect(Object.keys(body.errors)).toEqual([field]);
  });
});

describe('A file with an Idempotency-Key', () => {
  it('is taken once, however its form is written, and another file is refused', async () => {
    const base = await createBase();
    const upload = (content: string) =>
      app
        .as(ana)
        .post(`${URL}/${base}/documents`)
        .set('Idempotency-Key', 'k')
        .field({ name: 'Texto', type: 'txt' })
        .attach('file', Buffer.from(content), 'a.txt');
    const first = await upload('Texto').expect(201);
    const again = await upload('Texto').expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    await upload('Outro texto').expect(422);
    const { body } = await app.as(ana).get(`${URL}/${base}/documents`).expect(200);
    expect(body.data).toHaveLength(1);
  });
});

describe('DELETE /user/knowledgebases/{id}', () => {
  // spec: knowledge-base.knowledge-base-owns, delete-knowledge-base.route
  // spec: delete-knowledge-base.deleted-permanently-together, delete-knowledge-base.document-data-removed
  // spec: delete-knowledge-base.every-assistant-used, delete-knowledge-base.action-cannot-undone
  it('deletes the base with all its documents; assistants lose the reference and go on', async () => {
    const base = await createBase();
    const assistant = await createAssistant(app, ana, {
      knowledgebase_id: base,
      knowledgebase_mode: 'function_call',
    });
    await addWebsite(base);
    await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .field({ name: 'Texto', type: 'txt' })
      .attach('file', Buffer.from('Texto'), 'a.txt')
      .expect(201);

    const { body } = await app.as(ana).delete(`${URL}/${base}`).expect(200);

    expect(body).toEqual({ message: 'Base de conhecimento excluída com sucesso' });
    await app.as(ana).get(`${URL}/${base}`).expect(404);
    const kept = await app.as(ana).get(`/api/user/assistant/${assistant.id}`).expect(200);
    expect(kept.body.knowledgebase_id).toBeNull();
    const [left] = await app.query(
      `SELECT (SELECT count(*)::integer FROM documents WHERE knowledgebase_id = $1) AS documents,
              (SELECT count(*)::integer FROM document_sources s WHERE NOT EXISTS
                 (SELECT 1 FROM documents d WHERE d.id = s.document_id)) AS sources`,
      [base],
    );
    expect(left).toEqual({ documents: 0, sources: 0 });
  });
});

describe('a base of another account, or none', () => {
  // spec: update-knowledge-base.not-found, delete-knowledge-base.not-found
  it.each([
    ['GET', 'get', ''],
    ['PUT', 'put', ''],
    ['DELETE', 'delete', ''],
    ['POST a question to', 'post', '/search'],
    ['GET documents of', 'get', '/documents'],
    ['POST a document to', 'post', '/documents'],
    ['GET a document of', 'get', '/documents/1'],
    ['PUT a document of', 'put', '/documents/1'],
    ['DELETE a document of', 'delete', '/documents/1'],
  ] as const)('answers %s it with the same 404 {error}', async (_, method, path) => {
    const foreign = await createBase(bia);
    const send = { name: 'a', type: 'website', url: 'https://example.com', query: 'a' };

    for (const id of [foreign, 2_000_000_000, 'abc', '99999999999', '-1']) {
      const { body } = await app.as(ana)[method](`${URL}/${id}${path}`).send(send).expect(404);
      expect(body).toEqual(BASE_404);
    }
    await app.as(bia).get(`${URL}/${foreign}`).expect(200);
  });
});

describe('POST /user/knowledgebases/{id}/search', () => {
  it('answers {data: []} where the base says nothing about it', async () => {
    const base = await createBase();
    const { body } = await app.as(ana).post(`${URL}/${base}/search`).send({ query: 'Entrega?' }).expect(200);
    expect(body).toEqual({ data: [] });
  });

  it.each([
    ['no query', {}],
    ['an empty one', { query: '' }],
    ['a text of more than 1,000 characters', { query: 'x'.repeat(1_001) }],
    ['another type', { query: ['x'] }],
  ])('answers 422 with errors.query to %s', async (_, send) => {
    const base = await createBase();
    const { body } = await app.as(ana).post(`${URL}/${base}/search`).send(send).expect(422);
    expect(Object.keys(body.errors)).toEqual(['query']);
  });
});

describe('POST /user/knowledgebases/{id}/documents', () => {
  let base: number;

  beforeAll(async () => {
    base = await createBase();
  });

  it('takes a website and answers 201 with a processing document', async () => {
    const { body } = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .send({ name: 'Site', description: 'Institucional', type: 'website', url: 'https://example.com/' })
      .expect(201);

    expect(body).toEqual({
      message: 'Documento criado com sucesso. O processamento começará em breve.',
      data: {
        id: expect.any(Number),
        name: 'Site',
        description: 'Institucional',
        type: 'website',
        type_label: 'Site',
        status: 'processing',
        status_label: 'Processando',
        status_reason: null,
        status_reason_code: null,
        status_reason_value: null,
        unread: [],
        progress: 0,
        created_at: expect.stringMatching(ISO),
      },
    });
  });

  it('takes 5,000 documents for one base', async () => {
    const full = await createBase();
    const add = () =>
      app
        .as(ana)
        .post(`${URL}/${full}/documents`)
        .send({ name: 'Site', type: 'website', url: 'https://example.com/' });
    await app.query(
      `INSERT INTO documents (user_id, knowledgebase_id, name, type, status)
       SELECT $1, $2, 'Site', 'website', 'active' FROM generate_series(1, 4999)`,
      [ana.userId, full],
    );
    await add().expect(201);
    await add().expect(422, { error: 'Uma base de conhecimento pode ter no máximo 5000 documentos' });
    await app.as(ana).delete(`${URL}/${full}`).expect(200);
  });

  it('takes links instead of an address, each once', async () => {
    const links = [
      { link: 'https://example.com/a' },
      { link: 'https://example.com/a#part' },
      { link: 'https://example.com/b?utm_source=mail' },
    ];

    const { body } = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .send({ name: 'Páginas', type: 'website', links })
      .expect(201);

    const sources = await app.query(
      'SELECT url FROM document_sources WHERE document_id = $1 ORDER BY position',
      [body.data.id],
    );
    expect(sources).toEqual([{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }]);
  });

  // spec: service.knowledge-base-set
  it('takes a PDF, a Word document and a text, and stores them', async () => {
    const sections = [{ heading: 'Garantia', paragraphs: ['A garantia dura doze meses.'] }];
    const files = { pdf: await makePdf(sections), docx: await makeDocx(sections), txt: Buffer.from('Olá') };
    const before = await filesIn('files');

    for (const [type, content] of Object.entries(files)) {
      // The name says something else: it counts for nothing.
      const { body } = await app
        .as(ana)
        .post(`${URL}/${base}/documents`)
        .field({ name: 'Manual', type })
        .attach('file', content, 'file.bin')
        .expect(201);
      expect(body.data).toMatchObject({ type, type_label: type.toUpperCase(), status: 'processing' });
    }

    expect(await filesIn('files')).toHaveLength(before.length + 3);
    expect(await filesIn('uploads')).toEqual([]);
  });

  it.each([
    ['no name', { type: 'website', url: 'https://example.com' }, 'name'],
    ['a long name', { name: 'a'.repeat(256), type: 'website', url: 'https://example.com' }, 'name'],
    ['no type', { name: 'a' }, 'type'],
    ['an unknown type', { name: 'a', type: 'xlsx' }, 'type'],
    ['a website without address', { name: 'a', type: 'website' }, 'url'],
    ['an address that is none', { name: 'a', type: 'website', url: 'example' }, 'url'],
    ['another protocol', { name: 'a', type: 'website', url: 'file:///etc/passwd' }, 'url'],
    [
      'an address with credentials',
      { name: 'a', type: 'website', url: 'https://user:pass@example.com' },
      'url',
    ],
    [
      'a link with credentials',
      { name: 'a', type: 'website', links: [{ link: 'https://user@example.com/a' }] },
      'links.0.link',
    ],
    ['no links in links', { name: 'a', type: 'website', links: [] }, 'links'],
    ['a bad link', { name: 'a', type: 'website', links: [{ link: 'x' }] }, 'links.0.link'],
    [
      'too many links to follow',
      { name: 'a', type: 'website', url: 'https://example.com', relative_links_limit: 51 },
      'relative_links_limit',
    ],
    [
      'no links to follow',
      { name: 'a', type: 'website', url: 'https://example.com', relative_links_limit: 0 },
      'relative_links_limit',
    ],
    ['a PDF without a file', { name: 'a', type: 'pdf' }, 'file'],
  ])('answers 422 with errors for %s', async (_, sent, field) => {
    const { body } = await app.as(ana).post(`${URL}/${base}/documents`).send(sent).expect(422);

    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it.each([
    ['an empty file', 'txt', Buffer.alloc(0)],
    ['a picture as PDF', 'pdf', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['a PDF as Word document', 'docx', Buffer.from('%PDF-1.7')],
    ['a program as text', 'txt', Buffer.from('7f454c46020101000000', 'hex')],
  ])('answers 422 errors.file for %s, whatever its name', async (_, type, content) => {
    const before = await filesIn('files');

    const { body } = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .field({ name: 'a', type })
      .attach('file', content, `file.${type}`)
      .expect(422);

    expect(Object.keys(body.errors)).toEqual(['file']);
    expect(await filesIn('files')).toEqual(before);
    expect(await filesIn('uploads')).toEqual([]);
  });

  it('answers 413 {message} for a file over 20 MB and keeps nothing of it', async () => {
    const { body } = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .field({ name: 'a', type: 'txt' })
      .attach('file', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'), 'big.txt')
      .expect(413);

    expect(body).toEqual({ message: expect.any(String) });
    expect(await filesIn('uploads')).toEqual([]);
  });

  it.each([
    ['that breaks off', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
    ['of several wrong parts', `${'--x\r\nno colon here\r\n\r\nx\r\n'.repeat(2)}--x--`],
  ])('answers a multipart body %s with a 4xx', async (_what, content) => {
    const { status } = await app
      .as(ana)
      .post(`${URL}/${base}/documents`)
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .send(content);

    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await filesIn('uploads')).toEqual([]);
  });
});

describe('/user/knowledgebases/{id}/documents/{document}', () => {
  let base: number;

  beforeAll(async () => {
    base = await createBase();
  });

  it('GET lists and reads under data', async () => {
    const id = await addWebsite(base);

    const list = await app.as(ana).get(`${URL}/${base}/documents`).expect(200);
    const one = await app.as(ana).get(`${URL}/${base}/documents/${id}`).expect(200);

    expect(list.body.data.at(-1)).toEqual(one.body.data);
    expect(one.body.data).toMatchObject({ id, updated_at: expect.stringMatching(ISO), progress: 0 });
  });

  it('PUT changes name and description alone, and answers without created_at', async () => {
    const id = await addWebsite(base);

    const { body } = await app
      .as(ana)
      .put(`${URL}/${base}/documents/${id}`)
      .send({ name: 'Outro', type: 'pdf', status: 'active' })
      .expect(200);

    expect(body.message).toBe('Documento atualizado com sucesso');
    expect(body.data).toMatchObject({ id, name: 'Outro', type: 'website', status: 'processing' });
    expect(body.data).not.toHaveProperty('created_at');
  });

  // spec: states.knowledge-base-transitions
  it('DELETE removes it; with the last document the base is empty again', async () => {
    const own = await createBase();
    const id = await addWebsite(own);

    const { body } = await app.as(ana).delete(`${URL}/${own}/documents/${id}`).expect(200);

    expect(body).toEqual({ message: 'Documento excluído com sucesso' });
    const after = await app.as(ana).get(`${URL}/${own}`).expect(200);
    expect(after.body.data).toMatchObject({ status: 'empty', documents_count: 0 });
  });

  it('answers 404 {error} for a document of another base', async () => {
    const id = await addWebsite(base);
    const other = await createBase();

    for (const method of ['get', 'put', 'delete'] as const) {
      const { body } = await app.as(ana)[method](`${URL}/${other}/documents/${id}`).expect(404);
      expect(body).toEqual(DOCUMENT_404);
    }
    await app.as(ana).get(`${URL}/${base}/documents/${id}`).expect(200);
  });
});
