import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { answerJson, LocalServer, type ReceivedRequest } from '../support/http-server.js';

const OWN_GREETING = 'Olá! Como posso ajudar?';
const LOOKUP_URL = 'https://crm.example/who?key=s3cret';

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

describe('Lookups of callers', () => {
  let app: TestApp;
  let crm: LocalServer;
  let owner: TestAccount;
  let answer: Answer;
  let asked: readonly Record<string, unknown>[];

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8', RATE_LIMITS: 'on' });
    crm = await LocalServer.start((request, response) => {
      asked = [...asked, JSON.parse(request.body) as Record<string, unknown>];
      answer(response, request);
    });
    owner = await app.account({ balanceUsd: 10 });
  });
  beforeEach(() => {
    asked = [];
    answer = (response) => answerJson(response, {});
  });
  afterAll(async () => {
    await app.stop();
    await crm.stop();
  });

  const says = (body: object) => (answer = (response) => answerJson(response, body));
  const assistantWith = (overrides: Record<string, unknown> = {}): Promise<CreatedAssistant> =>
    createAssistant(app, owner, { lookup_url: `${crm.url}/who`, lookup_timeout_ms: 500, ...overrides });

  interface Opened {
    readonly id: string;
    readonly greeting: string | undefined;
    readonly variables: unknown;
  }

  async function open(
    { uuid }: CreatedAssistant,
    body: Record<string, unknown> = {},
    caller = app.http,
  ): Promise<Opened> {
    const created = await caller
      .post('/api/conversations')
      .send({ assistant_id: uuid, ...body })
      .expect(200);
    const id = created.body.conversation_id as string;
    const [first] = created.body.history as { content: string }[];
    const [row] = await app.query('SELECT variables FROM conversations WHERE id = $1', [id]);
    return { id, greeting: first?.content, variables: row?.variables };
  }

  describe('as settings of an assistant', () => {
    const read = async (id: number) => {
      const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
      return { lookup_url: body.lookup_url, lookup_timeout_ms: body.lookup_timeout_ms };
    };
    const put = (id: number, body: object) => app.as(owner).put(`/api/user/assistant/${id}`).send(body);

    it('are off by default, with a time-out of three seconds', async () => {
      const { id } = await createAssistant(app, owner);
      expect(await read(id)).toEqual({ lookup_url: null, lookup_timeout_ms: 3_000 });
    });

    it('are changed where they are sent, and cleared by null', async () => {
      const { id } = await createAssistant(app, owner, { lookup_url: LOOKUP_URL, lookup_timeout_ms: 7_500 });
      await put(id, { name: 'Loja' }).expect(200);
      expect(await read(id)).toEqual({ lookup_url: LOOKUP_URL, lookup_timeout_ms: 7_500 });
      await put(id, { lookup_timeout_ms: 500 }).expect(200);
      expect(await read(id)).toEqual({ lookup_url: LOOKUP_URL, lookup_timeout_ms: 500 });
      await put(id, { lookup_url: null, lookup_timeout_ms: null }).expect(200);
      expect(await read(id)).toEqual({ lookup_url: null, lookup_timeout_ms: 3_000 });
    });

    it('can be sent back as they were read', async () => {
      const { id } = await createAssistant(app, owner, { lookup_url: LOOKUP_URL, lookup_timeout_ms: 501 });
      const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
      await put(id, body).expect(200);
      expect(await read(id)).toEqual({ lookup_url: LOOKUP_URL, lookup_timeout_ms: 501 });
    });

    it.each<[string, object]>([
      ['lookup_url', { lookup_url: 'file:///etc/passwd' }],
      ['lookup_url', { lookup_url: 'crm.example/who' }],
      ['lookup_url', { lookup_url: 'https://user:pass@crm.example/' }],
      ['lookup_url', { lookup_url: 'https://crm.example/who?key=****' }],
      ['lookup_url', { lookup_url: 7 }],
      ['lookup_timeout_ms', { lookup_timeout_ms: 499 }],
      ['lookup_timeout_ms', { lookup_timeout_ms: 7_501 }],
      ['lookup_timeout_ms', { lookup_timeout_ms: 1_000.5 }],
      ['lookup_timeout_ms', { lookup_timeout_ms: 'soon' }],
    ])('refuse a wrong %s: %j', async (field, sent) => {
      const { id } = await createAssistant(app, owner);
      const { body } = await put(id, sent).expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });

    it('hide the query of the address from keys that may only read', async () => {
      const { id } = await createAssistant(app, owner, { lookup_url: LOOKUP_URL });
      const created = await app
        .as(owner)
        .post('/api/user/api-keys')
        .send({ name: 'reader', scopes: ['read'] })
        .expect(201);
      const reader = { token: created.body.api_key.token as string };
      const shownTo = async (caller: { token: string }) => {
        const { body: one } = await app.as(caller).get(`/api/user/assistant/${id}`).expect(200);
        const { body: list } = await app.as(caller).get('/api/user/assistants').expect(200);
        const { body: page } = await app.as(caller).get('/api/user/assistants/get').expect(200);
        const rowsIn = (rows: { id: number; lookup_url: string }[]) => rows.find((row) => row.id === id);
        return [one, rowsIn(list), rowsIn(page.data)].map((shown) => shown?.lookup_url as string);
      };
      expect(await shownTo(owner)).toEqual([LOOKUP_URL, LOOKUP_URL, LOOKUP_URL]);
      for (const url of await shownTo(reader)) {
        expect(url).toContain('https://crm.example/who');
        expect(url).not.toContain('s3cret');
      }
    });
  });

  describe('before a conversation', () => {
    it('ask with the account’s signature who a visitor is, and know nothing of them', async () => {
      const assistant = await assistantWith();
      const { id } = await open(assistant, { variables: { customer_phone: '+5511912345678' } });
      const request = crm.requests.at(-1);
      const { body: secret } = await app.as(owner).get('/api/user/webhook-secret').expect(200);
      const headers = request?.headers as Record<string, string>;
      expect(new Webhook(secret.secret).verify(request?.body ?? '', headers)).toEqual({
        event: 'call.incoming',
        type: 'conversation',
        at: expect.any(String),
        customer_phone: null,
        assistant_phone: null,
        phone_number_id: null,
        assistant_id: assistant.id,
        conversation_id: id,
        sip_headers: {},
      });
    });

    it.each([
      [{ customer_phone: '+55 11 91234-5678' }, '+5511912345678'],
      [{ 'Customer Phone': '+5511912345678' }, '+5511912345678'],
      [{ customer_phone: '91234-5678' }, null],
      [{ customer_phone: 5_511_912_345_678 }, null],
      [{}, null],
    ])('say which number the owner has given: %j', async (variables, customer_phone) => {
      await open(await assistantWith(), { variables }, app.as(owner));
      expect(asked).toEqual([expect.objectContaining({ customer_phone })]);
    });

    it('are not made for another account, whose token opens it like a visitor', async () => {
      const stranger = await app.account({ balanceUsd: 1 });
      await open(
        await assistantWith(),
        { variables: { customer_phone: '+5511912345678' } },
        app.as(stranger),
      );
      expect(asked).toEqual([expect.objectContaining({ customer_phone: null })]);
    });

    it('give variables and first words', async () => {
      says({ variables: { name: 'Ana', plan: { id: 7 } }, initial_message: 'Oi, {{name}}!' });
      const opened = await open(await assistantWith());
      expect(opened.greeting).toBe('Oi, Ana!');
      expect(opened.variables).toEqual({ name: 'Ana', plan: { id: 7 } });
    });

    it('give variables to the assistant’s own words, in an object without known keys', async () => {
      says({ name: 'Ana' });
      const opened = await open(await assistantWith({ initial_message: 'Olá, {{Name}}!' }));
      expect(opened.greeting).toBe('Olá, Ana!');
    });

    it('are made for tests of the owner, too', async () => {
      says({ initial_message: 'Oi!' });
      expect((await open(await assistantWith(), { type: 'test' }, app.as(owner))).greeting).toBe('Oi!');
    });

    it.each([
      ['a visitor', () => app.http],
      ['the owner', () => app.as(owner)],
    ])('win over what %s has sent, in any spelling', async (_who, caller) => {
      says({ variables: { name: 'Ana' } });
      const assistant = await assistantWith({ initial_message: '{{name}} {{NAME}} {{order}}' });
      const variables = { name: 'Eve', NAME: 'Eve', Name: 'Eve', order: 7 };
      const opened = await open(assistant, { variables }, caller());
      expect(opened.greeting).toBe('Ana Ana 7');
      expect(opened.variables).toEqual({ name: 'Ana', order: 7 });
    });

    it('are not made where the assistant has none', async () => {
      const { greeting } = await open(await assistantWith({ lookup_url: null }));
      expect({ greeting, asked }).toEqual({ greeting: OWN_GREETING, asked: [] });
    });

    it.each<[string, Answer]>([
      ['answers too late', () => undefined],
      ['stops in the middle', (response) => void response.writeHead(200).write('{"initial_message":')],
      ['fails', (response) => void response.writeHead(500).end('{"initial_message":"x"}')],
      ['redirects', (response) => void response.writeHead(302, { location: '/other' }).end()],
      ['breaks the connection', (response) => void response.destroy()],
      ['answers with a page', (response) => void response.end('<html>')],
      ['answers with a list', (response) => answerJson(response, ['x'])],
      ['answers with too much', (response) => answerJson(response, { a: 'x'.repeat(65_536) })],
      ['has one fault', (response) => answerJson(response, { initial_message: 'x', action: 'sing' })],
    ])('change nothing where the server %s', async (_what, answers) => {
      answer = answers;
      const startedAt = performance.now();
      const opened = await open(await assistantWith(), { variables: { name: 'Ana' } }, app.as(owner));
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(opened).toMatchObject({ greeting: OWN_GREETING, variables: { name: 'Ana' } });
      expect(asked).toHaveLength(1);
    });

    it.each([
      { action: 'reject' },
      { action: 'forward', phone_number: '+551130000009' },
      { action: 'answer' },
    ])('open it whatever they say of telephone calls: %j', async (said) => {
      says({ ...said, initial_message: 'Oi!' });
      expect((await open(await assistantWith())).greeting).toBe('Oi!');
    });

    it('leave it with the assistant that was chosen, and do not activate another', async () => {
      const other = await createAssistant(app, owner);
      says({ assistant_id: other.id, initial_message: 'Oi!' });
      const assistant = await assistantWith();
      const { id, greeting } = await open(assistant);
      expect(greeting).toBe('Oi!');
      expect(await app.query('SELECT assistant_id FROM conversations WHERE id = $1', [id])).toEqual([
        { assistant_id: assistant.id },
      ]);
      const { body } = await app.as(owner).get(`/api/user/assistant/${other.id}`).expect(200);
      expect(body.status).toBe('inactive');
    });

    it.each<[string, (stranger: TestAccount) => Promise<number>]>([
      ['of another account', async (stranger) => (await createAssistant(app, stranger)).id],
      [
        'that was deleted',
        async () => {
          const { id } = await createAssistant(app, owner);
          await app.as(owner).delete(`/api/user/assistant/${id}`).expect(200);
          return id;
        },
      ],
      [
        'that the owner has deactivated',
        async () => {
          const { id } = await createAssistant(app, owner, { activates_by_use: false });
          return id;
        },
      ],
    ])('are dropped as a whole when they name an assistant %s', async (_what, make) => {
      const assistant_id = await make(await app.account());
      says({ assistant_id, variables: { name: 'Eve' }, initial_message: 'Oi!' });
      const opened = await open(await assistantWith());
      expect(opened).toMatchObject({ greeting: OWN_GREETING });
      expect(opened.variables).toEqual({});
    });

    it('use no first words that a visitor’s values have made too long', async () => {
      says({ variables: {}, initial_message: '{{note}}'.repeat(100) });
      const assistant = await assistantWith({ variables: { note: '' } });
      const opened = await open(assistant, { variables: { note: 'x'.repeat(1_000) } });
      expect(opened.greeting).toBe(OWN_GREETING);
    });

    it('are not made for visitors who are refused', async () => {
      const refused = async (overrides: Record<string, unknown>, status: number) => {
        const { uuid } = await assistantWith(overrides);
        await app.http.post('/api/conversations').send({ assistant_id: uuid }).expect(status);
      };
      await refused({ challenge_required: true }, 403);
      await refused({ allowed_origins: ['https://shop.example'] }, 403);
      await refused({ visitor_conversations_per_hour: 0 }, 429);
      await refused({ web_chat_enabled: false }, 404);
      expect(asked).toEqual([]);
    });

    it('count a visitor once', async () => {
      const assistant = await assistantWith({ visitor_conversations_per_hour: 2 });
      await open(assistant);
      await open(assistant);
      await app.http.post('/api/conversations').send({ assistant_id: assistant.uuid }).expect(429);
      expect(asked).toHaveLength(2);
    });

    it.each([
      ['a visitor', () => app.http],
      ['the owner', () => app.as(owner)],
    ])('are not shown with the uuid, which a page has, where %s has opened it', async (_who, caller) => {
      says({ variables: { name: 'Ana', balance: 7 } });
      const assistant = await assistantWith({ initial_message: '{{order}}' });
      const { id, variables } = await open(assistant, { variables: { name: 'Eve', order: 7 } }, caller());
      expect(variables).toEqual({ name: 'Ana', balance: 7, order: 7 });
      const { body } = await app.http.get(`/api/conversations/${id}`).expect(200);
      expect(body.variables).toEqual({ order: 7 });
      const { body: own } = await app.as(owner).get(`/api/user/conversations/${id}`).expect(200);
      expect(own.variables ?? own.data?.variables).toEqual(variables);
    });
  });
});
