import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';

const SECRET = 'Bearer mcp-canary-51aa07';
const NOT_FOUND = { message: 'Servidor MCP não encontrado' };

describe('MCP servers', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    account = await app.account();
  });
  afterAll(() => app.stop());

  const body = (overrides: object = {}) => ({
    name: 'crm',
    url: 'https://mcp.example.com/mcp',
    ...overrides,
  });
  const create = (overrides: object = {}) =>
    app.as(account).post('/api/user/mcp-servers').send(body(overrides));
  const put = (id: number, changes: object) =>
    app.as(account).put(`/api/user/mcp-servers/${id}`).send(changes);

  it('are created, listed, read, changed and deleted', async () => {
    const { body: created } = await create({ headers: [{ name: 'Authorization', value: SECRET }] }).expect(
      201,
    );
    const server = {
      id: expect.any(Number),
      ...body(),
      headers: [{ name: 'Authorization', value: '••••aa07' }],
      timeout: 10,
      refreshed_at: null,
      last_error: null,
      last_error_code: null,
      left_out: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(created).toEqual({ message: 'Servidor MCP criado com sucesso', data: server });
    const { id } = created.data;
    expect((await app.as(account).get('/api/user/mcp-servers').expect(200)).body).toEqual([server]);
    expect((await app.as(account).get(`/api/user/mcp-servers/${id}`).expect(200)).body).toEqual(server);
    const { body: changed } = await put(id, { timeout: 20, name: 'crm2' }).expect(200);
    expect(changed.data).toMatchObject({ ...server, timeout: 20, name: 'crm2' });
    await app.as(account).delete(`/api/user/mcp-servers/${id}`).expect(200);
    const gone = await app.as(account).get(`/api/user/mcp-servers/${id}`).expect(404);
    expect(gone.body).toEqual(NOT_FOUND);
  });

  it('keep their headers unreadable in the database, and whole through masked values', async () => {
    const { body: created } = await create({ headers: [{ name: 'X-Key', value: SECRET }] }).expect(201);
    const { id, headers } = created.data;
    const rows = async () => JSON.stringify(await app.query('SELECT * FROM mcp_servers WHERE id = $1', [id]));
    expect(await rows()).not.toContain('mcp-canary');
    const { body: sent } = await put(id, { headers }).expect(200);
    expect(sent.data.headers).toEqual(headers);
    const moved = await put(id, { url: 'https://other.example.com/mcp', headers }).expect(422);
    expect(Object.keys(moved.body.errors)).toEqual(['headers.0.value']);
    const { body: without } = await put(id, { url: 'https://other.example.com/mcp' }).expect(200);
    expect(without.data.headers).toEqual([]);
    await put(id, { headers: [{ name: 'X-Key', value: '••••0000' }] }).expect(422);
  });

  it.each([
    ['name is required', 'name', { name: undefined }],
    ['name has no hyphen', 'name', { name: 'my-crm' }],
    ['name starts with a letter', 'name', { name: '1crm' }],
    ['name has at most 20 characters', 'name', { name: 'x'.repeat(21) }],
    ['url is required', 'url', { url: undefined }],
    ['url is http or https', 'url', { url: 'ftp://example.com/' }],
    ['url has no credentials', 'url', { url: 'https://user:pass@example.com/' }],
    ['timeout is at most 30', 'timeout', { timeout: 31 }],
    ['a header name is a token', 'headers.0.name', { headers: [{ name: 'X Y', value: 'x' }] }],
    [
      'a header value has no line end',
      'headers.0.value',
      { headers: [{ name: 'X', value: 'a\r\nHost: b' }] },
    ],
    ['a masked value is known', 'headers.0.value', { headers: [{ name: 'X', value: '••••' }] }],
  ])('are refused with 422 unless %s', async (_rule, field, overrides) => {
    const { body: refused } = await create(overrides).expect(422);
    expect(Object.keys(refused.errors)).toEqual([field]);
    expect((await app.as(account).get('/api/user/mcp-servers')).body).toEqual([]);
  });

  it('have names of their own within an account', async () => {
    const { body: first } = await create().expect(201);
    expect(Object.keys((await create().expect(422)).body.errors)).toEqual(['name']);
    const { body: second } = await create({ name: 'erp' }).expect(201);
    await put(second.data.id, { name: 'crm' }).expect(422);
    await put(first.data.id, { name: 'crm' }).expect(200);
    account = await app.account();
    await create().expect(201);
  });

  it('are as many as the plan allows tools, also when they come at once', async () => {
    const plan = await app.query<{ max_tools: number }>(
      'SELECT max_tools FROM plans JOIN users ON plan_id = plans.id WHERE users.id = $1',
      [account.userId],
    );
    const limit = plan[0]?.max_tools ?? 0;
    expect(limit).toBeGreaterThan(0);
    const answers = await Promise.all(
      Array.from({ length: Math.min(limit, 50) + 3 }, (_, index) => create({ name: `srv${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(Math.min(limit, 50));
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toEqual({ message: expect.stringMatching(/limite de \d+ servidor/) });
  });

  it('give tools to an assistant, each once, and only those there are', async () => {
    const { body: created } = await create().expect(201);
    const [tool] = await app.query<{ id: number }>(
      `INSERT INTO mcp_tools (user_id, server_id, name, description, input_schema, definition_hash)
       VALUES ($1, $2, 'search', 'Finds', '{"type": "object"}', 'hash') RETURNING id`,
      [account.userId, created.data.id],
    );
    const { id } = await createAssistant(app, account);
    const path = `/api/user/assistant/${id}/mcp-tools`;
    const set = (tool_ids: unknown) => app.as(account).put(path).send({ tool_ids });
    const { body: given } = await set([tool!.id]).expect(200);
    expect(given).toMatchObject([{ id: tool!.id, function_name: 'mcp-crm-search', status: 'new' }]);
    expect((await app.as(account).get(path).expect(200)).body).toEqual(given);
    expect(Object.keys((await set([tool!.id, 999_999]).expect(422)).body.errors)).toEqual(['tool_ids']);
    expect(Object.keys((await set([tool!.id, tool!.id]).expect(422)).body.errors)).toEqual(['tool_ids']);
    expect((await app.as(account).get(path).expect(200)).body).toEqual(given);
    await app.as(account).delete(`/api/user/mcp-servers/${created.data.id}`).expect(200);
    expect((await app.as(account).get(path).expect(200)).body).toEqual([]);
  });

  it('ask for the definition that was looked at before a tool is allowed', async () => {
    const { body: created } = await create().expect(201);
    const { id } = created.data;
    const [tool] = await app.query<{ id: number }>(
      `INSERT INTO mcp_tools (user_id, server_id, name, description, input_schema, definition_hash)
       VALUES ($1, $2, 'search', 'Finds', '{"type": "object"}', 'hash') RETURNING id`,
      [account.userId, id],
    );
    const allow = (change: object, toolId = tool!.id) =>
      app.as(account).put(`/api/user/mcp-servers/${id}/mcp-tools/${toolId}`).send(change);
    await allow({ allowed: true }).expect(409);
    await allow({ allowed: true, definition_hash: 'other' }).expect(409);
    const { body: allowed } = await allow({ allowed: true, definition_hash: 'hash' }).expect(200);
    expect(allowed.data).toMatchObject({ id: tool!.id, status: 'allowed' });
    const { body: taken } = await allow({ allowed: false }).expect(200);
    expect(taken.data).toMatchObject({ status: 'new' });
    expect((await allow({ allowed: false }, 999_999).expect(404)).body).toEqual({
      message: 'Ferramenta MCP não encontrada',
    });
    expect(Object.keys((await allow({}).expect(422)).body.errors)).toEqual(['allowed']);
  });
});
