import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { FakeModelServer } from '../support/fake-model-server.js';
import { answerJson } from '../support/http-server.js';

const PATH = '/api/user/model-keys/chat';
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const KEY = 'sk-own-0123456789-7f3a';
const OTHER_KEY = 'sk-own-9876543210-b1c2';

describe("an account's own key for chat models", () => {
  let server: FakeModelServer;
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    server = await FakeModelServer.start(KEY);
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
  });
  beforeEach(async () => {
    account = await app.account();
  });
  afterEach(() => {
    server.apiKey = KEY;
    server.trouble = null;
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  const put = (body: object, who = account) => app.as(who).put(PATH).send(body);
  const store = (more: object = {}) => put({ base_url: server.baseUrl, api_key: KEY, ...more }).expect(200);
  const read = async (who = account) => (await app.as(who).get(PATH).expect(200)).body.data;
  const test = async () => (await app.as(account).post(`${PATH}/test`).expect(200)).body;

  it.each(['get', 'put', 'delete'] as const)('%s answers 401 {message} without a token', async (method) => {
    const { body } = await app.http[method](PATH).expect(401);
    expect(body).toEqual({ message: 'Não autorizado' });
  });

  it('is stored, read masked, and removed', async () => {
    await app.as(account).get(PATH).expect(200, { data: null });
    const { body, text } = await store({ model: 'llama' });
    const data = {
      base_url: server.baseUrl,
      api_key: '••••7f3a',
      model: 'llama',
      status: 'active',
      refused_at: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    };
    expect(body).toEqual({ message: 'Chave salva com sucesso', data });
    expect(await read()).toEqual(body.data);
    expect(text + JSON.stringify(await read())).not.toContain(KEY);

    await app.as(account).delete(PATH).expect(200, { message: 'Chave removida com sucesso' });
    await app.as(account).get(PATH).expect(200, { data: null });
    await app.as(account).delete(PATH).expect(404, { message: 'Nenhuma chave foi cadastrada' });
    await app.as(account).post(`${PATH}/test`).expect(404);
  });

  it.each([
    ['api_key', {}],
    ['api_key', { api_key: '' }],
    ['api_key', { api_key: '••••' }],
    ['api_key', { api_key: '••••7f3a' }],
    ['api_key', { api_key: 'two\r\nlines' }],
    ['api_key', { api_key: 'x'.repeat(513) }],
    ['base_url', { api_key: KEY, base_url: 'ftp://llm.example.com/v1' }],
    ['base_url', { api_key: KEY, base_url: 'https://user:pass@llm.example.com/v1' }],
    ['base_url', { api_key: KEY, base_url: 'https://llm.example.com/v1?version=1' }],
    ['base_url', { api_key: KEY, base_url: 'https://llm.example.com/v1#there' }],
    ['model', { api_key: KEY, model: '' }],
    ['model', { api_key: KEY, model: 'x'.repeat(201) }],
  ])('is refused for its %s without a request to the provider: %j', async (field, body) => {
    const before = server.requests.length;
    expect(Object.keys((await put(body).expect(422)).body.errors)).toEqual([field]);
    expect(server.requests.length).toBe(before);
    await app.as(account).get(PATH).expect(200, { data: null });
  });

  describe('is shown to its server first, and not stored', () => {
    const refusal = async (body: object) => (await put(body).expect(422)).body.errors;

    it('where that refuses it; the one before stays', async () => {
      await store();
      const before = await read();
      expect(await refusal({ api_key: OTHER_KEY })).toEqual({
        api_key: ['O servidor do modelo recusou esta chave.'],
      });
      expect(await read()).toEqual(before);
    });

    it('where the server forbids it to list the models', async () => {
      server.trouble = (_request, response) => answerJson(response, { error: { code: 403 } }, 403);
      expect(await refusal({ base_url: server.baseUrl, api_key: KEY })).toHaveProperty('api_key');
    });

    it.each([
      ['another status', 404],
      ['a redirect, which is not followed', 302],
    ])('where it answers with %s', async (_name, status) => {
      server.trouble = (_request, response) =>
        void response.writeHead(status, { Location: `${server.baseUrl}/models` }).end();
      const before = server.requests.length;
      const { base_url: said } = await refusal({ base_url: server.baseUrl, api_key: KEY });
      expect(said[0]).toContain('não lista modelos');
      expect(server.requests.length).toBe(before + 1);
    });

    it('where it answers with something else than a list of models', async () => {
      for (const body of ['<html>', { error: null }, []]) {
        server.trouble = (_request, response) => answerJson(response, body);
        const { base_url: said } = await refusal({ base_url: server.baseUrl, api_key: KEY });
        expect(said[0]).toContain('não lista modelos');
      }
    });

    it('where it does not answer, or not now', async () => {
      server.trouble = (_request, response) => void response.socket?.destroy();
      const unreachable = { base_url: [expect.stringContaining('não respondeu')] };
      expect(await refusal({ base_url: server.baseUrl, api_key: KEY })).toEqual(unreachable);
      server.trouble = (_request, response) => answerJson(response, {}, 503);
      expect(await refusal({ base_url: server.baseUrl, api_key: KEY })).toEqual(unreachable);
    });

    it.each([
      'http://10.0.0.9/v1',
      'http://169.254.169.254/v1',
      'http://[::1]:9/v1',
      'http://127.0.0.2:9/v1',
    ])('where its address is within the network of the installation: %s', async (base_url) => {
      const errors = await refusal({ base_url, api_key: KEY });
      expect(errors).toEqual({ base_url: [expect.stringContaining('local, privado ou reservado')] });
    });
  });

  it('stays when it is sent back as it was read, and goes to no other server than it was given for', async () => {
    await store({ model: 'llama' });
    const before = await read();
    const { base_url, api_key, model } = before;
    await put({ base_url, api_key, model }).expect(200);
    await put({}).expect(200);
    expect(await read()).toEqual({ ...before, updated_at: expect.stringMatching(ISO) });
    await put({ model: null }).expect(200);
    expect((await read()).model).toBeNull();

    const elsewhere = await FakeModelServer.start(KEY);
    for (const sent of [{}, { api_key }]) {
      const { body } = await put({ base_url: elsewhere.baseUrl, ...sent }).expect(422);
      expect(body.errors).toEqual({ api_key: [expect.stringContaining('novo servidor')] });
    }
    await put({ base_url: null }).expect(422);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
    expect((await read()).base_url).toBe(server.baseUrl);
  });

  it('is tested, and shown as refused until the server takes it again', async () => {
    await store();
    expect(await test()).toEqual({ message: 'Chave verificada', data: { result: 'ok' } });
    server.apiKey = 'changed-there';
    expect((await test()).data).toEqual({ result: 'refused' });
    expect(await read()).toMatchObject({ status: 'refused', refused_at: expect.stringMatching(ISO) });
    server.trouble = (_request, response) => answerJson(response, {}, 503);
    expect((await test()).data).toEqual({ result: 'unreachable' });
    expect((await read()).status).toBe('refused');
    server.trouble = null;
    server.apiKey = KEY;
    expect((await test()).data).toEqual({ result: 'ok' });
    expect(await read()).toMatchObject({ status: 'active', refused_at: null });
  });

  it('that this installation cannot decrypt is shown as unreadable, and can be replaced', async () => {
    await store();
    // As after a restore without the encryption key.
    await app.query(
      "UPDATE model_keys SET sealed_api_key = overlay(sealed_api_key PLACING 'AAAAAAAA' FROM 4) WHERE user_id = $1",
      [account.userId],
    );
    expect(await read()).toMatchObject({ api_key: '••••', status: 'unreadable' });
    expect((await test()).data).toEqual({ result: 'unreadable' });
    expect(Object.keys((await put({}).expect(422)).body.errors)).toEqual(['api_key']);
    await store();
    expect((await read()).status).toBe('active');
  });

  it('is read, stored, tested and removed only by owners and by keys with the scope', async () => {
    await store();
    const key = async (scopes: readonly string[]) =>
      (await app.as(account).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201)).body.api_key;
    for (const scopes of [['read'], ['read', 'chat', 'calls', 'campaigns']]) {
      const as = app.as(await key(scopes));
      await as.get(PATH).expect(403);
      await as.put(PATH).send({ api_key: OTHER_KEY }).expect(403);
      await as.post(`${PATH}/test`).expect(403);
      await as.delete(PATH).expect(403);
    }
    await app
      .as(await key(['admin']))
      .get(PATH)
      .expect(200);
  });

  it('answers in place of the sandbox, and says so; a turn is charged as any other', async () => {
    const paying = await app.account({ balanceUsd: 1 });
    const uuid = await openConversation(app, await createAssistant(app, paying));
    const send = () =>
      app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Oi' }).expect(200);
    expect((await send()).headers['x-prosa-model']).toBe('sandbox');
    await put({ base_url: server.baseUrl, api_key: KEY }, paying).expect(200);
    const { headers, body } = await send();
    expect([headers['x-prosa-model'], body.message]).toEqual(['openai-compatible', 'Bom dia!']);
    expect(await app.balanceUsd(paying)).toBeLessThan(1);
  });

  it('is of one account alone', async () => {
    await store();
    const other = await app.account();
    await app.as(other).get(PATH).expect(200, { data: null });
    await app.as(other).post(`${PATH}/test`).expect(404);
    await app.as(other).delete(PATH).expect(404);
    await put({ base_url: server.baseUrl, api_key: '••••7f3a' }, other).expect(422);
    server.apiKey = OTHER_KEY;
    await put({ base_url: server.baseUrl, api_key: OTHER_KEY }, other).expect(200);
    expect((await read()).api_key).toBe('••••7f3a');
    expect((await read(other)).api_key).toBe('••••b1c2');
  });

  it('is written into the audit log without what it is', async () => {
    await store();
    await app.as(account).post(`${PATH}/test`).expect(200);
    await app.as(account).delete(PATH).expect(200);
    const { text, body } = await app.as(account).get('/api/user/audit-log').expect(200);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['putChatModelKey', 'testChatModelKey', 'deleteChatModelKey']),
    );
    expect(text).not.toContain(KEY);
  });
});
