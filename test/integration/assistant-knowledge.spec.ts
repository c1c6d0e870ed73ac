import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { makeDocx, makePdf } from '../support/documents.js';
import { LocalServer } from '../support/http-server.js';

/** From a document to an answer and out again: what a user does with knowledge, over HTTP alone. */
describe('an assistant with a knowledge base', () => {
  let app: TestApp;
  let ana: TestAccount;
  let site: LocalServer;
  let dataDir: string;
  let base: number;

  beforeAll(async () => {
    site = await LocalServer.start(({ path }, response) => {
      const found = path === '/';
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(
        found
          ? '<html lang="pt"><title>Entrega</title><body><main><h1>Entrega</h1><p>A taxa de entrega para o Jardim das Acácias é de sete reais.</p></main></body></html>'
          : '',
      );
    });
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-knowledge-test-'));
    app = await TestApp.start({
      DATA_DIR: dataDir,
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    ana = await app.account();
    const created = await app.as(ana).post('/api/user/knowledgebases').send({ name: 'Padaria' }).expect(201);
    base = created.body.data.id;
    await upload(
      'pdf',
      'trocas.pdf',
      await makePdf([
        section('Trocas', 'O prazo para devolver um bolo encomendado é de quinze dias corridos.'),
      ]),
    );
    await upload(
      'docx',
      'garantia.docx',
      await makeDocx([
        section('Garantia', 'A batedeira vermelha tem garantia de dois anos contra defeitos.'),
      ]),
    );
    await upload(
      'txt',
      'festa.txt',
      Buffer.from('Encomendas de salgados para festas precisam de antecedência de três dias.\n'),
    );
    await app
      .as(ana)
      .post(`/api/user/knowledgebases/${base}/documents`)
      .send({ name: 'Site', type: 'website', url: site.url })
      .expect(201);
    await until(async () => {
      const { body } = await app.as(ana).get(`/api/user/knowledgebases/${base}`);
      expect(body.data.status).not.toBe('failed');
      return body.data.status === 'active' && body.data.documents_count === 4;
    });
  }, 90_000);
  afterAll(async () => {
    await app.stop();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const section = (heading: string, text: string) => ({ heading, paragraphs: [text] });
  const upload = (type: string, file: string, content: Buffer) =>
    app
      .as(ana)
      .post(`/api/user/knowledgebases/${base}/documents`)
      .field('name', file)
      .field('type', type)
      .attach('file', content, file)
      .expect(201);
  const ask = async (uuid: string, message: string) =>
    (await app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200)).body;
  const assistant = async (mode: string) => {
    const created = await createAssistant(app, ana, {
      knowledgebase_id: base,
      knowledgebase_mode: mode,
      system_prompt: 'Você atende os clientes.',
    });
    return { id: created.id, uuid: await openConversation(app, created, { type: 'test' }, ana) };
  };

  const questions: [string, string, RegExp][] = [
    ['a PDF', 'Qual é o prazo para devolver um bolo encomendado?', /quinze dias/],
    ['a DOCX', 'A batedeira vermelha tem garantia de quanto tempo?', /dois anos/],
    ['a text file', 'Com que antecedência faço encomendas de salgados para festas?', /três dias/],
    ['a web site', 'Qual é a taxa de entrega para o Jardim das Acácias?', /sete reais/],
  ];

  it.each(questions)(
    'shows the owner which passage of %s answers a question, and how well',
    async (_, query, answer) => {
      const { body } = await app
        .as(ana)
        .post(`/api/user/knowledgebases/${base}/search`)
        .send({ query })
        .expect(200);
      const [best, ...others] = body.data;
      expect(best).toMatchObject({
        text: expect.stringMatching(answer),
        score: 1,
        document_id: expect.any(Number),
      });
      expect(others.every(({ score }: { score: number }) => score > 0 && score < 1)).toBe(true);
    },
  );

  describe.each(['prompt', 'function_call'])('in the mode %s', (mode) => {
    it.each(questions)('answers from a fact that is only in %s', async (_where, question, answer) => {
      const { uuid } = await assistant(mode);
      const { message, function_calls: calls } = await ask(uuid, question);
      expect(message).toMatch(answer);
      const names = calls.map(({ name }: { name: string }) => name);
      expect(names).toEqual(mode === 'prompt' ? [] : ['search_knowledge_base']);
    });
  });

  it('names the source document to the model', async () => {
    const { uuid } = await assistant('function_call');
    const { function_calls: calls } = await ask(uuid, questions[0]?.[1] ?? '');
    expect(calls[0].result.passages[0]).toMatchObject({ source: 'trocas.pdf' });
  });

  it('answers no more once the base is deleted, and keeps working', async () => {
    const talks = await Promise.all(['prompt', 'function_call'].map(assistant));
    await app.as(ana).delete(`/api/user/knowledgebases/${base}`).expect(200);
    for (const { id, uuid } of talks) {
      const { message, function_calls: calls } = await ask(uuid, questions[0]?.[1] ?? '');
      expect(message).not.toMatch(/quinze dias/);
      expect(calls).toEqual([]);
      const { body } = await app.as(ana).get(`/api/user/assistant/${id}`);
      expect(body).toMatchObject({ knowledgebase_id: null, knowledgebase_mode: null });
    }
    const left = await app.query<{ count: string }>(
      'SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM document_chunks) AS count',
    );
    expect(Number(left[0]?.count)).toBe(0);
  });
});

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await sleep(100);
  }
}
