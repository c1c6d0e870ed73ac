import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

describe('the language of errors', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
  });
  afterAll(() => app.stop());

  const messageOf = async (path: string, headers: Record<string, string>) => {
    const { body } = await app.as(owner).get(path).set(headers).expect(404);
    return (body.message ?? body.error) as string;
  };

  it('is that of the contract for all who do not ask, whatever a browser accepts', async () => {
    const path = '/api/user/leads/1999999999';
    expect(await messageOf(path, {})).toBe('Contato não encontrado');
    expect(await messageOf(path, { 'Accept-Language': 'en-US,en;q=0.9' })).toBe('Contato não encontrado');
    expect(await messageOf(path, { 'X-Prosa-Language': 'fr' })).toBe('Contato não encontrado');
  });

  it('is the one that is asked for by X-Prosa-Language, in the shape of the route', async () => {
    expect(await messageOf('/api/user/leads/1999999999', { 'X-Prosa-Language': 'en' })).toBe(
      'Contact not found',
    );
    const { body } = await app
      .as(owner)
      .post('/api/user/folder')
      .set('X-Prosa-Language', 'en')
      .send({})
      .expect(422);
    expect(body).toEqual({
      message: 'The name field is required.',
      errors: { name: ['The name field is required.'] },
    });
    const missing = `/api/conversations/5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e`;
    const answer = await app.http.get(missing).set('X-Prosa-Language', 'pt').expect(404);
    expect(answer.body).toEqual({ status: false, error: 'Conversa não encontrada' });
  });
});

describe('the header X-Prosa-Error', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
  });
  afterAll(() => app.stop());

  it('names the text of an answer whose body stays as the contract has it', async () => {
    const { body, headers } = await app.as(owner).delete('/api/user/tools/1999999999').expect(404);
    expect(body).toEqual({ message: 'Tool not found' });
    expect(headers['x-prosa-error']).toBe('tools.not_found');
  });

  it('carries the parameters of a text', async () => {
    const answer = await app.as(owner).post('/api/user/folder').send({}).expect(422);
    expect(answer.headers['x-prosa-error']).toBe('validation.required?field=name');
  });

  it('is set where the framework refuses a request', async () => {
    const malformed = await app
      .as(owner)
      .post('/api/user/folder')
      .set('Content-Type', 'application/json')
      .send('{')
      .expect(400);
    expect(malformed.headers['x-prosa-error']).toBe('http.malformed_json');
    const { headers } = await app.http.get('/api/user/tools').expect(401);
    expect(headers['x-prosa-error']).toBe('http.unauthorized');
  });

  it('can be read by pages of other origins', async () => {
    const { headers } = await app.http
      .get('/api/user/tools')
      .set('Origin', 'https://shop.example')
      .expect(401);
    expect(headers['access-control-expose-headers']).toContain('X-Prosa-Error');
  });

  it('is absent from successful answers', async () => {
    const { headers } = await app.as(owner).get('/api/user/tools').expect(200);
    expect(headers).not.toHaveProperty('x-prosa-error');
  });
});

describe('GET /api/user/chat-model', () => {
  it.each<[string, Record<string, string>]>([
    ['demo', {}],
    ['installation', { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }],
  ])('says %s', async (source, environment) => {
    const app = await TestApp.start(environment);
    try {
      const { body } = await app
        .as(await app.account())
        .get('/api/user/chat-model')
        .expect(200);
      expect(body).toEqual({ answers_from: source });
    } finally {
      await app.stop();
    }
  });
});
