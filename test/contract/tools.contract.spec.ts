import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, toolBody } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** Its sources use the types of browsers, which these tests do not know. */
const CLIENT: string = '#client/index.js';

interface TypeScriptClient {
  readonly client: { setConfig(config: { baseUrl: string; auth: string }): void };
  readonly getTool: (options: {
    path: { id: number };
  }) => Promise<{ readonly response: { readonly status: number }; readonly data: { readonly id: number } }>;
}

describe('mid-call tools', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account();
  });
  afterAll(() => app.stop());

  const clear = async () => {
    const { body } = await app.as(account).get('/api/user/tools');
    for (const { id } of body) await app.as(account).delete(`/api/user/tools/${id}`).expect(200);
  };
  const create = (overrides: Record<string, unknown> = {}) =>
    app.as(account).post('/api/user/tools').send(toolBody(overrides));

  it('is read by the TypeScript client, which sends the headers that the route asks for', async () => {
    const { body } = await create().expect(201);
    const { client, getTool } = (await import(CLIENT)) as TypeScriptClient;
    client.setConfig({ baseUrl: app.origin, auth: account.token });
    const read = await getTool({ path: { id: body.data.id } });
    expect({ status: read.response.status, id: read.data.id }).toEqual({ status: 200, id: body.data.id });
  });

  describe('Create mid-call tool', () => {
    afterAll(clear);

    // spec: tool.headers, tool.schema, tool.created_at, tool.whether-create-update, create-tool.success
    it('answers 201 with message and the tool with all its fields', async () => {
      const { body } = await create({
        timeout: 5,
        headers: [{ name: 'X-Key', value: 's3cret' }],
        schema: [{ name: 'city', type: 'string', description: 'Nome da cidade' }],
        body_format: 'form',
        static_fields: [{ key: 'source', value: 'prosa' }],
      }).expect(201);
      expect(body).toEqual({
        message: 'Ferramenta criada com sucesso',
        data: {
          id: expect.any(Number),
          ...toolBody(),
          type: 'http',
          body_format: 'form',
          timeout: 5,
          headers: [{ name: 'X-Key', value: 's3cret' }],
          static_fields: [{ key: 'source', value: 'prosa' }],
          schema: [{ name: 'city', type: 'string', description: 'Nome da cidade', required: true }],
          created_at: expect.stringMatching(ISO),
          updated_at: expect.stringMatching(ISO),
        },
      });
    });

    it('keeps header values unreadable in the database', async () => {
      const rows = await app.query('SELECT * FROM tools');
      expect(JSON.stringify(rows)).not.toContain('s3cret');
    });

    // spec: tool.timeout, create-tool.timeout, limits.mid-call-tool
    it('has the defaults timeout 10, body_format json and empty lists', async () => {
      const { body } = await create().expect(201);
      expect(body.data).toMatchObject({
        timeout: 10,
        body_format: 'json',
        headers: [],
        schema: [],
        static_fields: [],
      });
    });

    const refused: [string, string, Record<string, unknown>][] = [
      // spec: create-tool.name, create-tool.422-validation-failure
      ['name is required', 'name', { name: undefined }],
      ['name is a string', 'name', { name: 7 }],
      // spec: tool.name, create-tool.name, errors.create-tool-invalid
      ['name has lowercase letters and underscores only', 'name', { name: 'getWeather' }],
      // spec: tool.name
      ['name has no digits', 'name', { name: 'get_weather2' }],
      // spec: tool.name, create-tool.name
      ['name starts with a letter', 'name', { name: '_weather' }],
      // spec: create-tool.description
      ['description is required', 'description', { description: undefined }],
      // spec: tool.description, create-tool.description, limits.mid-call-tool-description
      ['description has at most 255 characters', 'description', { description: 'x'.repeat(256) }],
      // spec: create-tool.endpoint
      ['endpoint is required', 'endpoint', { endpoint: undefined }],
      // spec: create-tool.endpoint
      ['endpoint is a valid URL', 'endpoint', { endpoint: 'not a url' }],
      ['endpoint is http or https', 'endpoint', { endpoint: 'ftp://example.com/x' }],
      ['endpoint has no placeholder in the host', 'endpoint', { endpoint: 'https://{host}/x' }],
      ['endpoint has no credentials', 'endpoint', { endpoint: 'https://user:pass@example.com/' }],
      ['endpoint has no user name', 'endpoint', { endpoint: 'https://user@example.com/' }],
      // spec: create-tool.method
      ['method is required', 'method', { method: undefined }],
      // spec: tool.method, create-tool.method
      ['method is one of five', 'method', { method: 'TRACE' }],
      // spec: tool.timeout, create-tool.timeout, limits.mid-call-tool
      ['timeout is at least 1', 'timeout', { timeout: 0 }],
      // spec: tool.timeout, create-tool.timeout, limits.mid-call-tool
      ['timeout is at most 30', 'timeout', { timeout: 31 }],
      ['timeout is an integer', 'timeout', { timeout: 1.5 }],
      // spec: create-tool.headers
      ['headers is an array', 'headers', { headers: {} }],
      // spec: create-tool.headers
      ['a header needs a name', 'headers.0.name', { headers: [{ value: 'x' }] }],
      // spec: create-tool.headers
      ['a header needs a value', 'headers.0.value', { headers: [{ name: 'X' }] }],
      ['a header name is a token', 'headers.0.name', { headers: [{ name: 'X Y', value: 'x' }] }],
      [
        'a header value has no line end',
        'headers.0.value',
        { headers: [{ name: 'X', value: 'a\r\nHost: b' }] },
      ],
      // spec: create-tool.schema
      ['schema is an array', 'schema', { schema: 'x' }],
      // spec: tool.parameter-name-2, create-tool.schema
      ['a parameter name has 2 characters or more', 'schema.0.name', { schema: [parameter({ name: 'a' })] }],
      // spec: tool.parameter-name-2
      [
        'a parameter name has at most 32 characters',
        'schema.0.name',
        { schema: [parameter({ name: 'a'.repeat(33) })] },
      ],
      // spec: tool.parameter-name-2
      ['a parameter name starts with a letter', 'schema.0.name', { schema: [parameter({ name: '_ab' })] }],
      // spec: tool.parameter-name-2
      [
        'a parameter name has letters and underscores',
        'schema.0.name',
        { schema: [parameter({ name: 'ab1' })] },
      ],
      // spec: tool.parameter-type-string, create-tool.schema
      [
        'a parameter type is string, number or boolean',
        'schema.0.type',
        { schema: [parameter({ type: 'date' })] },
      ],
      // spec: tool.parameter-description-3, create-tool.schema
      [
        'a parameter description has 3 characters or more',
        'schema.0.description',
        { schema: [parameter({ description: 'ab' })] },
      ],
      // spec: tool.parameter-description-3
      [
        'a parameter description has at most 255',
        'schema.0.description',
        { schema: [parameter({ description: 'x'.repeat(256) })] },
      ],
      ['parameter names do not repeat', 'schema', { schema: [parameter(), parameter()] }],
      // spec: tool.body_format
      ['body_format is json or form', 'body_format', { body_format: 'xml' }],
      ['text holds no NUL character', 'description', { description: 'a\u0000b' }],
    ];
    it.each(refused)('refuses with 422 unless %s', async (_rule, field, overrides) => {
      const before = await app.as(account).get('/api/user/tools');
      const { body } = await create(overrides).expect(422);
      expect(Object.keys(body.errors)).toContain(field);
      expect(body.errors[field]).toEqual([expect.any(String)]);
      expect(typeof body.message).toBe('string');
      const after = await app.as(account).get('/api/user/tools');
      expect(after.body).toEqual(before.body);
    });

    it('says of each parameter without a name that it has none, and not that names repeat', async () => {
      const { body } = await create({ schema: [{}, 7, null] }).expect(422);
      expect(body.errors).toMatchObject({ 'schema.0.name': ['O campo schema.0.name é obrigatório.'] });
      expect(Object.keys(body.errors)).toEqual(
        expect.arrayContaining(['schema.0.name', 'schema.1', 'schema.2']),
      );
      expect(body.errors.schema).toBeUndefined();
    });

    const accepted: [string, Record<string, unknown>][] = [
      ['a name of one letter', { name: 'a' }],
      // spec: tool.description
      ['a description of 255 characters', { description: 'x'.repeat(255) }],
      // spec: tool.endpoint
      ['placeholders in path and query', { endpoint: 'https://a.example/{id}?q={{customer_phone}}' }],
      // spec: tool.method
      ['method DELETE', { method: 'DELETE' }],
      // spec: create-tool.timeout
      ['timeout 1', { timeout: 1 }],
      // spec: create-tool.timeout
      ['timeout 30', { timeout: 30 }],
      // spec: tool.parameter-name-2
      [
        'a parameter name of 2 and one of 32 characters',
        { schema: [parameter({ name: 'ab' }), parameter({ name: 'A'.repeat(32) })] },
      ],
      // spec: tool.parameter-type-string
      [
        'each parameter type',
        {
          schema: [
            parameter({ name: 'aa', type: 'string' }),
            parameter({ name: 'bb', type: 'number' }),
            parameter({ name: 'cc', type: 'boolean' }),
          ],
        },
      ],
    ];
    it.each(accepted)('accepts %s', async (_rule, overrides) => {
      await clear();
      await create(overrides).expect(201);
    });

    it('ignores unknown fields', async () => {
      await clear();
      const { body } = await create({ color: 'blue', id: 99_999 }).expect(201);
      expect(body.data).not.toHaveProperty('color');
      expect(body.data.id).not.toBe(99_999);
    });

    // spec: create-tool.422-only-message, errors.message-not-found, errors.create-tool-plan
    // spec: limits.number-mid-call
    it('answers 422 with only a message when the plan limit is reached', async () => {
      await clear();
      for (let count = 0; count < 5; count++) await create().expect(201);
      const { body } = await create().expect(422);
      expect(body).toEqual({ message: 'Você atingiu o limite de 5 ferramentas do seu plano' });
    });

    // spec: limits.number-mid-call
    it('lets exactly one of 50 simultaneous requests take the last place of the plan', async () => {
      await clear();
      for (let count = 0; count < 4; count++) await create().expect(201);
      const answers = await Promise.all(Array.from({ length: 50 }, () => create()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    });
  });

  describe('Update mid-call tool', () => {
    let id: number;
    beforeAll(async () => {
      await clear();
      const { body } = await create({
        headers: [{ name: 'A', value: '1' }],
        schema: [parameter()],
      });
      id = body.data.id;
    });

    // spec: update-tool.all-fields-optional, update-tool.success
    it('changes only the fields that are supplied and answers 200 with all values', async () => {
      const { body: before } = await app.as(account).get(`/api/user/tools/${id}`).set(JSON_HEADERS);
      const { body } = await app.as(account).put(`/api/user/tools/${id}`).send({ timeout: 20 }).expect(200);
      expect(body.message).toBe('Ferramenta atualizada com sucesso');
      expect(body.data).toEqual({ ...before, timeout: 20, updated_at: expect.stringMatching(ISO) });
    });

    it('changes nothing, not even the time of the last change, when nothing is sent', async () => {
      await app.query("UPDATE tools SET updated_at = updated_at - interval '1 day' WHERE id = $1", [id]);
      const { body: before } = await app.as(account).get(`/api/user/tools/${id}`).set(JSON_HEADERS);
      const { body } = await app.as(account).put(`/api/user/tools/${id}`).send({}).expect(200);
      expect(body.data).toEqual(before);
      await app.as(account).put('/api/user/tools/999999').send({}).expect(404);
    });

    // spec: update-tool.supplying-headers-replaces
    it('replaces all headers', async () => {
      const { body } = await app
        .as(account)
        .put(`/api/user/tools/${id}`)
        .send({ headers: [{ name: 'B', value: '2' }] });
      expect(body.data.headers).toEqual([{ name: 'B', value: '2' }]);
    });

    // spec: update-tool.supplying-schema-replaces
    it('replaces the whole schema', async () => {
      const { body } = await app
        .as(account)
        .put(`/api/user/tools/${id}`)
        .send({ schema: [parameter({ name: 'other' })] });
      expect(body.data.schema).toEqual([{ ...parameter({ name: 'other' }), required: true }]);
      const { body: cleared } = await app
        .as(account)
        .put(`/api/user/tools/${id}`)
        .send({ schema: [], headers: [] });
      expect(cleared.data).toMatchObject({ schema: [], headers: [] });
    });

    // spec: update-tool.422-message-errors, errors.update-tool-invalid
    it.each([
      ['name', { name: 'Bad Name' }],
      ['timeout', { timeout: 99 }],
      ['description', { description: null }],
    ])('answers 422 with message and errors for an invalid %s and changes nothing', async (field, change) => {
      const { body: before } = await app.as(account).get(`/api/user/tools/${id}`).set(JSON_HEADERS);
      const { body } = await app.as(account).put(`/api/user/tools/${id}`).send(change).expect(422);
      expect(body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
      const { body: after } = await app.as(account).get(`/api/user/tools/${id}`).set(JSON_HEADERS);
      expect(after).toEqual(before);
    });

    // spec: update-tool.404-message-when, errors.update-tool-tool
    it("answers 404 {message: 'Tool not found'} when the tool does not exist or is another account's", async () => {
      const other = await app.account();
      for (const [caller, target] of [
        [account, '999999'],
        [account, 'abc'],
        [account, '99999999999'],
        [other, String(id)],
      ] as const) {
        const { body } = await app
          .as(caller)
          .put(`/api/user/tools/${target}`)
          .send({ timeout: 3 })
          .expect(404);
        expect(body).toEqual({ message: 'Tool not found' });
      }
    });
  });

  describe('Get mid-call tool', () => {
    let id: number;
    beforeAll(async () => {
      await clear();
      id = (await create()).body.data.id;
    });
    const get = (headers: Record<string, string>) =>
      app.as(account).get(`/api/user/tools/${id}`).set(headers);

    // spec: tool.id, tool.type, tool.endpoint, tool.body_format, tool.static_fields
    // spec: tool.parameter-required-boolean, get-tool.success
    it('answers with the tool at the top level', async () => {
      const { body } = await get(JSON_HEADERS).expect(200);
      expect(body).toMatchObject({ id, ...toolBody() });
    });

    // spec: get-tool.required-headers-content
    it('needs the header Content-Type: application/json', async () => {
      const { body } = await get({ Accept: 'application/json' }).expect(415);
      expect(body).toEqual({ message: 'O cabeçalho Content-Type deve ser application/json' });
      await get({ Accept: 'application/json', 'Content-Type': 'text/plain' }).expect(415);
    });

    // spec: get-tool.required-headers-accept
    it('needs an Accept header that admits JSON', async () => {
      const { body } = await get({ 'Content-Type': 'application/json', Accept: 'text/html' }).expect(406);
      expect(body).toEqual({ message: 'O cabeçalho Accept deve ser application/json' });
    });

    // spec: get-tool.required-headers-authorization
    it('needs a token', async () => {
      const { body } = await app.http.get(`/api/user/tools/${id}`).set(JSON_HEADERS).expect(401);
      expect(body).toEqual({ message: 'Não autorizado' });
    });

    // spec: get-tool.not-found, errors.get-tool-tool
    it('answers {message} for a missing tool', async () => {
      const { body } = await app.as(account).get('/api/user/tools/424242').set(JSON_HEADERS).expect(404);
      expect(body).toEqual({ message: 'Tool not found' });
    });
  });

  describe('Test mid-call tool', () => {
    const SECRET = 'Bearer s3cret-of-the-shop';
    let shop: LocalServer;
    let open: TestApp;
    let owner: TestAccount;

    beforeAll(async () => {
      shop = await LocalServer.start(({ path }, response) => {
        if (path.startsWith('/large')) response.end('x'.repeat(40_000));
        else if (path.startsWith('/empty')) response.writeHead(204).end();
        else if (path.startsWith('/wrong')) answerJson(response, { error: 'no such order' }, 404);
        else if (!path.startsWith('/slow')) answerJson(response, { state: 'sent' });
      });
      open = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
      owner = await open.account();
    });
    afterAll(async () => {
      await open.stop();
      await shop.stop();
    });

    const test = async (tool: Record<string, unknown>, send: object) => {
      const as = open.as(owner);
      const { body } = await as.post('/api/user/tools').send(toolBody(tool)).expect(201);
      const answered = await as.post(`/api/user/tools/${body.data.id}/test`).send(send);
      await as.delete(`/api/user/tools/${body.data.id}`).expect(200);
      return answered;
    };

    it('sends the request as an assistant would, and shows status, body and what the model reads', async () => {
      const { status, body } = await test(
        {
          endpoint: `${shop.url}/orders/{number}?shop={{shop}}`,
          method: 'POST',
          headers: [{ name: 'Authorization', value: SECRET }],
          static_fields: [{ key: 'source', value: 'prosa' }],
          schema: [parameter({ name: 'number', type: 'number' }), parameter({ name: 'city' })],
        },
        { arguments: { number: '42', city: 'Recife', undeclared: 'x' }, variables: { shop: 'a b' } },
      );
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          data: {
            request: {
              method: 'POST',
              url: `${shop.url}/orders/42?shop=a%20b`,
              body: '{"city":"Recife","source":"prosa"}',
            },
            answer: {
              status: 200,
              body: '{"state":"sent"}',
              truncated: false,
              duration_ms: expect.any(Number),
            },
            result: '{"state":"sent"}',
          },
        },
      });
      expect(shop.requests.at(-1)).toMatchObject({
        method: 'POST',
        path: '/orders/42?shop=a%20b',
        body: '{"city":"Recife","source":"prosa"}',
        headers: { authorization: SECRET },
      });
    });

    it('shows at most 16 KiB of a body, and the sentence the model reads of an error or an empty answer', async () => {
      const large = (await test({ endpoint: `${shop.url}/large` }, {})).body.data;
      expect(large.answer).toMatchObject({ status: 200, truncated: true });
      expect(large.answer.body).toHaveLength(16 * 1024);
      expect(large.result).toHaveLength(16 * 1024);
      const wrong = (await test({ endpoint: `${shop.url}/wrong` }, {})).body.data;
      expect(wrong.answer).toMatchObject({ status: 404, body: '{"error":"no such order"}' });
      expect(JSON.parse(wrong.result)).toEqual({
        error: 'The tool answered with HTTP status 404.',
        answer: '{"error":"no such order"}',
      });
      const empty = (await test({ endpoint: `${shop.url}/empty` }, {})).body.data;
      expect(empty).toMatchObject({ answer: { status: 204, body: '' }, result: '{"ok":true}' });
    });

    it('says what is wrong with arguments, and sends nothing', async () => {
      const before = shop.requests.length;
      const schema = [parameter({ name: 'number', type: 'number' })];
      const { body } = await test({ endpoint: `${shop.url}/x`, schema }, { arguments: { number: 'many' } });
      expect(body.data).toEqual({
        request: null,
        answer: null,
        result: '{"error":"The argument \\"number\\" must be a number."}',
      });
      expect(shop.requests).toHaveLength(before);
    });

    it('ends with the time limit of the tool, and says so', async () => {
      const { body } = await test({ endpoint: `${shop.url}/slow`, timeout: 1 }, {});
      expect(body.data).toMatchObject({ request: { url: `${shop.url}/slow` }, answer: null });
      expect(body.data.result).toContain('did not answer within 1 s');
    });

    it('lets three run at once, and answers 429 to a fourth', async () => {
      const as = open.as(owner);
      const { body } = await as
        .post('/api/user/tools')
        .send(toolBody({ endpoint: `${shop.url}/slow`, timeout: 2 }))
        .expect(201);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => as.post(`/api/user/tools/${body.data.id}/test`).send({})),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429]);
      await as.post(`/api/user/tools/${body.data.id}/test`).send({}).expect(200);
      await as.delete(`/api/user/tools/${body.data.id}`).expect(200);
    });

    it('reaches no forbidden address, and names none', async () => {
      const { body: created } = await create({ endpoint: `${shop.url}/inside` }).expect(201);
      const { body } = await app
        .as(account)
        .post(`/api/user/tools/${created.data.id}/test`)
        .send({})
        .expect(200);
      expect(body.data.answer).toBeNull();
      expect(body.data.result).not.toContain('127.0.0.1');
      expect(shop.requests.filter(({ path }) => path === '/inside')).toEqual([]);
      await clear();
    });

    it.each([
      ['arguments', { arguments: 'x' }],
      ['variables', { variables: [1] }],
    ])('answers 422 to %s that are no object', async (field, send) => {
      const { status, body } = await test({ endpoint: `${shop.url}/x` }, send);
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
    });
  });

  describe('List and delete', () => {
    it("lists the caller's own tools as a bare array", async () => {
      await clear();
      await create({ name: 'first' });
      await create({ name: 'second' });
      const { body } = await app.as(account).get('/api/user/tools').expect(200);
      expect(body.map(({ name }: { name: string }) => name)).toEqual(['first', 'second']);
      const { body: foreign } = await app.as(await app.account()).get('/api/user/tools');
      expect(foreign).toEqual([]);
    });

    it('deletes and detaches from the assistants that had it', async () => {
      await clear();
      const { body: created } = await create();
      const { body: assistant } = await app
        .as(account)
        .post('/api/user/assistant')
        .send(assistantBody({ tool_ids: [created.data.id] }))
        .expect(201);
      const { body } = await app.as(account).delete(`/api/user/tools/${created.data.id}`).expect(200);
      expect(body).toEqual({ message: 'Ferramenta excluída com sucesso' });
      const { body: read } = await app
        .as(account)
        .get(`/api/user/assistant/${assistant.data.id}`)
        .expect(200);
      expect(read.tool_ids).toEqual([]);
      await app.as(account).delete(`/api/user/tools/${created.data.id}`).expect(404);
    });
  });
});

function parameter(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'city', type: 'string', description: 'Nome da cidade', ...overrides };
}
