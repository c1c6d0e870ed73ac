import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonalDataSourcesService } from '../../src/modules/privacy/personal-data-sources.service.js';
import { privacyEn } from '../../web/console/src/pages/privacy/en.js';
import { privacyPt } from '../../web/console/src/pages/privacy/pt.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';

/** What people read who make a mistake: it names the mistake they made. */
describe('texts of refusals', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
  });
  afterAll(() => app.stop());

  const TOOL = {
    name: 'get_weather',
    description: 'Weather of a city',
    endpoint: 'https://example.com/',
    method: 'GET',
  };
  const createTool = (body: object) => app.as(owner).post('/api/user/tools').send(body);

  it('say of null in an optional field that it must not be null, and of a required one that it is', async () => {
    const { body } = await createTool({ ...TOOL, name: null, timeout: null }).expect(422);
    expect(body.errors).toEqual({
      name: ['O campo name é obrigatório.'],
      timeout: ['O campo timeout pode ser omitido, mas não pode ser nulo.'],
    });
  });

  it('name the items of a list that are wrong, and no others', async () => {
    const { body } = await app
      .as(owner)
      .post('/api/user/assistant')
      .send({ tool_ids: [1, 'x', 3, 0], filler_config: { positive: ['Sim', 7] } })
      .expect(422);
    expect(body.errors).toMatchObject({
      'tool_ids.1': ['O campo tool_ids.1 deve ser um número inteiro.'],
      'tool_ids.3': ['O campo tool_ids.3 deve ser um número inteiro.'],
      'filler_config.positive.1': ['O campo filler_config.positive.1 deve ser um texto.'],
    });
    expect(Object.keys(body.errors)).not.toContain('tool_ids');
  });

  it('count one thing as one', async () => {
    const campaign = (allowed_days: string[]) =>
      app.as(owner).post('/api/user/campaign').send({ name: 'x', assistant_id: 1, allowed_days });
    const { body } = await campaign([]).expect(422);
    expect(body.errors.allowed_days).toEqual(['O campo allowed_days deve ter pelo menos 1 item.']);
    const { body: many } = await createTool({ ...TOOL, description: 'x'.repeat(256) }).expect(422);
    expect(many.errors.description).toEqual(['O campo description não pode ter mais de 255 caracteres.']);
  });

  it('say of a body in another charset or encoding what is wrong with it', async () => {
    const send = (name: string, value: string) =>
      app
        .as(owner)
        .post('/api/user/tools')
        .set('Content-Type', 'application/json')
        .set(name, value)
        .send(JSON.stringify(TOOL))
        .expect(415);
    const { body: charset } = await send('Content-Type', 'application/json; charset=iso-8859-1');
    expect(charset).toEqual({ message: 'O corpo da requisição deve estar em UTF-8' });
    const { body: encoding } = await send('Content-Encoding', 'compress');
    expect(encoding.message).toContain('Content-Encoding');
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'name=get_weather'],
    ['plain text', 'text/plain', '{"name":"get_weather"}'],
  ])('ask for JSON where %s was sent', async (_title, type, sent) => {
    const { body } = await app
      .as(owner)
      .post('/api/user/tools')
      .set('Content-Type', type)
      .send(sent)
      .expect(415);
    expect(body).toEqual({ message: 'O cabeçalho Content-Type deve ser application/json' });
    const { id, uuid } = await createAssistant(app, owner);
    const conversation = await openConversation(app, { id, uuid });
    const { body: english } = await app.http
      .post(`/api/conversations/${conversation}/messages`)
      .set('Content-Type', type)
      .send(sent)
      .expect(415);
    expect(english).toEqual({
      status: false,
      error: 'The Content-Type header must be application/json',
    });
  });

  it.each([
    '/api/conversations/x/y/z',
    '/api/conversations',
    '/api/Conversations/x/y',
    '/api/conversations/',
  ])('have the shape of conversations on the unknown route GET %s', async (path) => {
    const { body } = await app.http.get(path).expect(404);
    expect(body).toEqual({ status: false, error: 'Route not found' });
  });

  it.each(['/nothing', '/nothing/at/all', '/talk/none', '/health'])(
    'are JSON on the unknown path %s outside of the API',
    async (path) => {
      for (const method of ['get', 'post'] as const) {
        const answer = await app.http[method](path)
          .expect(404)
          .expect('Content-Type', /^application\/json/);
        expect(answer.body).toEqual({ message: 'Rota não encontrada' });
      }
    },
  );

  it('refuse a filter in brackets instead of answering everything', async () => {
    for (const query of ['status[]=completed', 'status[0]=completed', 'status=completed&status=busy']) {
      const { body } = await app.as(owner).get(`/api/user/calls?${query}`).expect(422);
      expect(Object.keys(body.errors)).toEqual(['status']);
    }
  });

  it('take an empty filter as none', async () => {
    const query = 'status=&type=&phone_number=&assistant_id=&date_from=&date_to=&per_page=&page=';
    const { body } = await app.as(owner).get(`/api/user/calls?${query}`).expect(200);
    expect(body).toMatchObject({ per_page: 15, current_page: 1 });
  });
});

describe('texts of the console', () => {
  it('name each kind of personal data that an erasure counts', async () => {
    const app = await TestApp.start();
    const kinds = app.app.get(PersonalDataSourcesService).all.map(({ name }) => name);
    await app.stop();
    for (const texts of [privacyEn, privacyPt]) {
      expect(Object.keys(texts.erasure.kinds).toSorted()).toEqual(kinds.toSorted());
    }
  });
});
