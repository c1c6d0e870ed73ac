import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool } from '../support/builders.js';

const SECRET = 'sk-of-the-shop-0123456789';

describe('credentials outside of headers', () => {
  let app: TestApp;
  let owner: TestAccount;
  let reader: { token: string };
  let admin: { token: string };
  let paths: readonly string[];
  let tool: number;
  let server: number;
  let endpoint: number;
  let assistant: number;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 5 });
    reader = await withScopes(['read']);
    admin = await withScopes(['read', 'admin']);
    const as = app.as(owner);
    const url = (name: string) => `https://example.com/${name}?key=${SECRET}&plain`;
    tool = await createTool(app, owner, {
      endpoint: `https://example.com/weather/{city}?key=${SECRET}&city={city}`,
      static_fields: [{ key: 'api_key', value: SECRET }],
    });
    server = (
      await as
        .post('/api/user/mcp-servers')
        .send({ name: 'crm', url: url('mcp') })
        .expect(201)
    ).body.data.id;
    endpoint = (
      await as
        .post('/api/user/webhook-endpoints')
        .send({ url: url('hook') })
        .expect(201)
    ).body.data.id;
    const { body } = await as.post(`/api/user/webhook-endpoints/${endpoint}/test`).expect(200);
    ({ id: assistant } = await createAssistant(app, owner, {
      type: 'outbound',
      is_webhook_active: true,
      webhook_url: url('calls'),
      conversation_ended_webhook_url: url('chats'),
    }));
    await as
      .post('/api/user/assistants/enable-inbound-webhook')
      .send({ assistant_id: assistant, webhook_url: url('inbound') })
      .expect(200);
    paths = [
      `/api/user/tools/${tool}`,
      '/api/user/tools',
      `/api/user/mcp-servers/${server}`,
      '/api/user/mcp-servers',
      `/api/user/webhook-endpoints/${endpoint}`,
      '/api/user/webhook-endpoints',
      `/api/user/webhook-deliveries/${body.data.id}`,
      '/api/user/webhook-deliveries',
      `/api/user/assistant/${assistant}`,
      '/api/user/assistants',
      '/api/user/assistants/get',
      '/api/user/assistants/outbound',
    ];
  });
  afterAll(() => app.stop());

  async function withScopes(scopes: readonly string[]): Promise<{ token: string }> {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'limited', scopes })
      .expect(201);
    return { token: body.api_key.token };
  }
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const read = async (path: string, caller: { token: string }) =>
    (await app.as(caller).get(path).set(json).expect(200)).body;

  it('are read by a key that may change them', async () => {
    for (const path of paths) expect(JSON.stringify(await read(path, admin))).toContain(SECRET);
  });

  it('are not read by a key that may only read', async () => {
    const leaks: string[] = [];
    for (const path of paths) if (JSON.stringify(await read(path, reader)).includes(SECRET)) leaks.push(path);
    expect(leaks).toEqual([]);
  });

  it('are in no answer of any list for a key that may only read', async () => {
    const routes = app.contract.routes.filter(
      ({ method, path, operation }) =>
        method === 'get' && !path.includes('{') && operation.operationId !== 'watchAccount',
    );
    expect(routes.length).toBeGreaterThan(30);
    const leaks: string[] = [];
    for (const { path } of routes) {
      const { text } = await app.as(reader).get(path).set(json);
      if (text?.includes(SECRET)) leaks.push(path);
    }
    expect(leaks).toEqual([]);
  });

  it('keep the names of their fields', async () => {
    expect(await read(`/api/user/tools/${tool}`, reader)).toMatchObject({
      endpoint: 'https://example.com/weather/{city}?key=****&city=****',
      static_fields: [{ key: 'api_key', value: '••••' }],
    });
    expect((await read(`/api/user/mcp-servers/${server}`, reader)).url).toBe(
      'https://example.com/mcp?key=****&****',
    );
  });

  it.each([
    ['endpoint', () => `/api/user/tools/${tool}`, ['endpoint']],
    ['static_fields.0.value', () => `/api/user/tools/${tool}`, ['static_fields']],
    ['url', () => `/api/user/mcp-servers/${server}`, ['url']],
    ['url', () => `/api/user/webhook-endpoints/${endpoint}`, ['url']],
    ['webhook_url', () => `/api/user/assistant/${assistant}`, ['webhook_url']],
    [
      'conversation_ended_webhook_url',
      () => `/api/user/assistant/${assistant}`,
      ['conversation_ended_webhook_url'],
    ],
  ])('are not replaced when their masked form is sent back: %s', async (field, path, names) => {
    const seen = await read(path(), reader);
    const body = Object.fromEntries(names.map((name) => [name, seen[name]]));
    const refused = await app.as(admin).put(path()).send(body).expect(422);
    expect(JSON.stringify(refused.body)).toContain(field);
    expect(JSON.stringify(await read(path(), admin))).toContain(SECRET);
  });
});
