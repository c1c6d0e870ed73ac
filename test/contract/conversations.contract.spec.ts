import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  assistantBody,
  createAssistant,
  type CreatedAssistant,
  openConversation,
  sendMessage,
} from '../support/builders.js';
import { parseEvents } from '../support/event-streams.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PRICE_USD = 0.01;

describe('conversations', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ balanceUsd: 5 });
    assistant = await createAssistant(app, account, {
      initial_message: 'Olá, {{name}}!',
      variables: { name: 'visitante' },
    });
  });
  afterAll(() => app.stop());

  it.each([
    ['\u{200B}\u{2060}\u{FEFF}'],
    ['\u{3164}'],
    ['\u{2800} \u{2800}'],
    ['\u{200E}\u{202E}\n'],
    ['\u{AD}'],
  ])('refuses a message without a visible character, and charges nothing: %j', async (message) => {
    const uuid = await openConversation(app, assistant);
    const before = await app.balanceUsd(account);
    const { body } = await sendMessage(app, uuid, message).expect(422);
    expect(body.errors).toEqual({ message: ['The message field is required.'] });
    const { body: thread } = await app.http.get(`/api/conversations/${uuid}`).expect(200);
    expect(thread.history).toHaveLength(1);
    expect(await app.balanceUsd(account)).toBe(before);
  });

  describe('Create a conversation', () => {
    // spec: conversation.identified-uuid-string
    it('needs no token for a widget conversation and begins with the initial message', async () => {
      const { body } = await app.http
        .post('/api/conversations')
        .send({ assistant_id: assistant.uuid })
        .expect(200);
      expect(body).toEqual({
        status: true,
        conversation_id: expect.stringMatching(UUID),
        history: [{ role: 'assistant', content: 'Olá, visitante!' }],
      });
    });

    // spec: create-assistant.variables
    it("fills the initial message with the conversation's variables first, then the assistant's", async () => {
      const { body } = await app.http
        .post('/api/conversations')
        .send({ assistant_id: assistant.uuid, variables: { name: 'Bia' } });
      expect(body.history[0].content).toBe('Olá, Bia!');
    });

    it('answers 404 {status:false, error} for an unknown assistant', async () => {
      const { body } = await app.http
        .post('/api/conversations')
        .send({ assistant_id: randomUUID() })
        .expect(404);
      expect(body).toEqual({ status: false, error: 'Assistant not found' });
    });

    it.each([
      ['assistant_id missing', {}],
      ['assistant_id not a uuid', { assistant_id: 7 }],
      ['type unknown', { assistant_id: randomUUID(), type: 'whatsapp' }],
      ['variables not an object', { assistant_id: randomUUID(), variables: [] }],
    ])('answers 422 with a validation body: %s', async (_case, request) => {
      const { body } = await app.http.post('/api/conversations').send(request).expect(422);
      expect(body).toEqual({ message: expect.any(String), errors: expect.any(Object) });
    });

    it('answers 400 when the owner cannot pay one message', async () => {
      const poor = await app.account();
      const theirs = await createAssistant(app, poor);
      const { body } = await app.http
        .post('/api/conversations')
        .send({ assistant_id: theirs.uuid })
        .expect(400);
      expect(body).toEqual({ status: false, error: 'Insufficient balance. Please top up your account.' });
    });

    it("needs the owner's token for a test conversation", async () => {
      const request = { assistant_id: assistant.uuid, type: 'test' };
      const { body } = await app.http.post('/api/conversations').send(request).expect(401);
      expect(body).toEqual({ status: false, error: 'Unauthorized' });
      await app.as(account).post('/api/conversations').send(request).expect(200);
      await app
        .as(await app.account())
        .post('/api/conversations')
        .send(request)
        .expect(404);
    });

    it.each(['', 'Basic YTpi', 'Bearer', 'Digest username="x"'])(
      'ignores the Authorization header %p, unless a test conversation needs a token',
      async (header) => {
        const open = (type: string) =>
          app.http
            .post('/api/conversations')
            .set('Authorization', header)
            .send({ assistant_id: assistant.uuid, type });
        await open('widget').expect(200);
        await open('test').expect(401);
      },
    );

    it('refuses a wrong token even where none is needed', async () => {
      await app
        .as({ token: 'wrong' })
        .post('/api/conversations')
        .send({ assistant_id: assistant.uuid })
        .expect(401);
    });
  });

  describe('Send a message in a conversation', () => {
    // spec: service.hold-chat-conversations, conversation.message-exchange-returns, send-message.success
    // spec: authentication.whether-sending-message
    it('answers 200 {status: true, message, function_calls: []}', async () => {
      const uuid = await openConversation(app, assistant);
      const { body } = await sendMessage(app, uuid, 'A que horas a padaria abre?').expect(200);
      expect(body).toEqual({ status: true, message: expect.stringContaining('6 horas'), function_calls: [] });
    });

    // spec: send-message.message, errors.send-message-message, limits.chat-message-2000
    it.each([
      ['missing', undefined],
      ['empty', ''],
      ['blank', '   '],
      ['not a string', 12],
      ['longer than 2000 characters', 'x'.repeat(2001)],
    ])(
      'answers 422 with errors.message when the message is %s, and stores nothing',
      async (_case, message) => {
        const uuid = await openConversation(app, assistant);
        const { body } = await sendMessage(app, uuid, message).expect(422);
        expect(body).toEqual({ message: expect.any(String), errors: { message: [expect.any(String)] } });
        const { body: read } = await app.http.get(`/api/conversations/${uuid}`);
        expect(read.history).toHaveLength(1);
      },
    );

    // spec: send-message.message, limits.chat-message-2000
    it('takes a message of 2000 characters', async () => {
      const uuid = await openConversation(app, assistant);
      await sendMessage(app, uuid, 'é'.repeat(2000)).expect(200);
    });

    // spec: send-message.path, errors.status-false-error, errors.message-texts-portuguese
    // spec: errors.send-message-conversation
    it.each([randomUUID(), 'not-a-uuid', '00000000-0000-0000-0000-000000000000'])(
      "answers 404 {status: false, error: 'Conversation not found'} for %s",
      async (uuid) => {
        const { body } = await sendMessage(app, uuid, 'Olá').expect(404);
        expect(body).toEqual({ status: false, error: 'Conversation not found' });
      },
    );

    // spec: conversation.conversations-widget-conversations, send-message.each-user-message
    // spec: limits.billing-chat-each
    it('bills each user message of a widget conversation 0.01 USD', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await openConversation(app, await createAssistant(app, owner));
      await sendMessage(app, uuid, 'Olá').expect(200);
      await sendMessage(app, uuid, 'Tudo bem?').expect(200);
      expect(await app.balanceUsd(owner)).toBeCloseTo(1 - 2 * PRICE_USD, 6);
      const { body } = await app.as(owner).get('/api/user/billing/transactions');
      expect(
        body.data.map(({ type, amount, balance_after }: Record<string, unknown>) => ({
          type,
          amount,
          balance_after,
        })),
      ).toEqual([
        { type: 'message', amount: -0.01, balance_after: 0.98 },
        { type: 'message', amount: -0.01, balance_after: 0.99 },
        { type: 'credit', amount: 1, balance_after: 1 },
      ]);
    });

    // spec: conversation.conversations-widget-conversations, limits.billing-chat-each
    it('bills nothing in a test conversation', async () => {
      const owner = await app.account();
      const uuid = await openConversation(app, await createAssistant(app, owner), { type: 'test' }, owner);
      await sendMessage(app, uuid, 'Olá').expect(200);
      const { body } = await app.as(owner).get('/api/user/billing/transactions');
      expect(body.data).toEqual([]);
    });

    // spec: errors.send-message-balance
    it("answers 400 with the contract's text when the balance is too low, and stores nothing", async () => {
      const owner = await app.account({ balanceUsd: 0.01 });
      const uuid = await openConversation(app, await createAssistant(app, owner));
      await sendMessage(app, uuid, 'A última').expect(200);
      const { body } = await sendMessage(app, uuid, 'Mais uma').expect(400);
      expect(body).toEqual({ status: false, error: 'Insufficient balance. Please top up your account.' });
      const { body: read } = await app.http.get(`/api/conversations/${uuid}`);
      expect(JSON.stringify(read.history)).not.toContain('Mais uma');
      expect(await app.balanceUsd(owner)).toBe(0);
    });

    it('goes on without the assistant being active', async () => {
      const { body } = await app.as(account).get(`/api/user/assistant/${assistant.id}`);
      expect(body.status).toBe('inactive');
    });

    it('is not found any more once its assistant is deleted', async () => {
      const doomed = await createAssistant(app, account);
      const uuid = await openConversation(app, doomed);
      await app.as(account).delete(`/api/user/assistant/${doomed.id}`).expect(200);
      await sendMessage(app, uuid, 'Olá').expect(404);
      await app.http.get(`/api/conversations/${uuid}`).expect(200);
    });

    it('uses a change of the assistant at the next message', async () => {
      const changing = await createAssistant(app, account);
      const uuid = await openConversation(app, changing);
      await app
        .as(account)
        .put(`/api/user/assistant/${changing.id}`)
        .send({ system_prompt: 'A padaria abre às 9 horas aos domingos.' })
        .expect(200);
      const { body } = await sendMessage(app, uuid, 'A padaria abre a que horas aos domingos?').expect(200);
      expect(body.message).toContain('9 horas');
    });
  });

  describe('Server-sent events', () => {
    it('streams tokens and ends with the same answer as JSON', async () => {
      const uuid = await openConversation(app, assistant);
      const { text, headers } = await sendMessage(app, uuid, 'A que horas a padaria abre?')
        .set('Accept', 'text/event-stream')
        .expect(200);
      expect(headers['content-type']).toMatch('text/event-stream');
      const events = parseEvents(text);
      const streamed = events
        .filter(({ event }) => event === 'token')
        .map(({ data }) => data.delta)
        .join('');
      expect(events.at(-1)).toEqual({
        event: 'done',
        data: { status: true, message: streamed, function_calls: [] },
      });
      expect(events.length).toBeGreaterThan(3);
    });

    it('answers errors that come before the first event as JSON', async () => {
      const { body } = await sendMessage(app, randomUUID(), 'Olá')
        .set('Accept', 'text/event-stream')
        .expect(404);
      expect(body).toEqual({ status: false, error: 'Conversation not found' });
    });
  });

  describe('Read a conversation', () => {
    // spec: conversation.ai-switch-ai_enabled, conversation.fields-other-than
    it('answers the whole history in order, variables and the AI switch', async () => {
      const uuid = await openConversation(app, assistant, { variables: { name: 'Caio' } });
      await sendMessage(app, uuid, 'Olá');
      const { body } = await app.http.get(`/api/conversations/${uuid}`).expect(200);
      expect(body).toEqual({
        status: true,
        history: [
          { role: 'assistant', content: 'Olá, Caio!' },
          { role: 'user', content: 'Olá' },
          { role: 'assistant', content: expect.any(String) },
        ],
        variables: { name: 'Caio' },
        ai_enabled: true,
      });
    });

    it('answers 404 {status:false, error} for an unknown one', async () => {
      const { body } = await app.http.get(`/api/conversations/${randomUUID()}`).expect(404);
      expect(body).toEqual({ status: false, error: 'Conversation not found' });
    });
  });

  describe('Disable AI for a conversation', () => {
    const automate = (owner: Pick<TestAccount, 'token'>, uuid: string, action = 'disable-ai') =>
      app.as(owner).post(`/api/automate/conversations/${uuid}/${action}`);

    // spec: states.disable-ai-conversation, disable-ai.path, disable-ai.success
    it('answers {status: true, ai_enabled: false}; messages are then stored and charged but not answered', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await openConversation(app, await createAssistant(app, owner));
      const { body } = await automate(owner, uuid).expect(200);
      expect(body).toEqual({ status: true, ai_enabled: false });
      const { body: reply } = await sendMessage(app, uuid, 'Quero uma pessoa').expect(200);
      expect(reply).toEqual({ status: true, message: '', function_calls: [] });
      const { body: read } = await app.http.get(`/api/conversations/${uuid}`);
      expect(read.ai_enabled).toBe(false);
      expect(read.history.at(-1)).toEqual({ role: 'user', content: 'Quero uma pessoa' });
      expect(await app.balanceUsd(owner)).toBeCloseTo(1 - PRICE_USD, 6);
    });

    // spec: states.conversation-ai-switch, states.re-enabling-ai
    it('enable-ai switches it on again', async () => {
      const uuid = await openConversation(app, assistant);
      await automate(account, uuid).expect(200);
      const { body } = await automate(account, uuid, 'enable-ai').expect(200);
      expect(body).toEqual({ status: true, ai_enabled: true });
      const { body: reply } = await sendMessage(app, uuid, 'Olá');
      expect(reply.message).not.toBe('');
    });

    // spec: disable-ai.unknown-uuid-conversation, errors.disable-ai-conversation
    it("answers {status: false, error: 'Conversa não encontrada'} for an unknown uuid or another account's", async () => {
      const uuid = await openConversation(app, assistant);
      const other = await app.account();
      for (const [caller, target] of [
        [account, randomUUID()],
        [account, 'x'],
        [other, uuid],
      ] as const) {
        const { body } = await automate(caller, target).expect(404);
        expect(body).toEqual({ status: false, error: 'Conversa não encontrada' });
      }
      const { body } = await app.http.get(`/api/conversations/${uuid}`);
      expect(body.ai_enabled).toBe(true);
    });

    // spec: disable-ai.unauthorized, authentication.missing-invalid-key, errors.error-not-found
    // spec: errors.disable-ai-unauthorized
    it("answers 401 {error: 'Não autorizado'} without a key", async () => {
      const uuid = await openConversation(app, assistant);
      const { body } = await app.http.post(`/api/automate/conversations/${uuid}/disable-ai`).expect(401);
      expect(body).toEqual({ error: 'Não autorizado' });
    });

    // spec: disable-ai.auth, authentication.automate-takes-automate, authentication.how-automate-api
    it('takes an API key, not a session token', async () => {
      const owner = await app.account({ password: 'correct horse' });
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: owner.email, password: 'correct horse' });
      const answer = await automate({ token: body.token }, randomUUID()).expect(401);
      expect(answer.body).toEqual({ error: 'Não autorizado' });
    });
  });

  describe("The tenant's own view", () => {
    // spec: service.hold-chat-conversations, disable-ai.intended-use-human
    it("stores the human agent's own message, which the customer then reads", async () => {
      const uuid = await openConversation(app, assistant);
      const { body } = await app
        .as(account)
        .post(`/api/user/conversations/${uuid}/messages`)
        .send({ message: 'Aqui é a Marta, posso ajudar.' })
        .expect(201);
      expect(body).toEqual({
        message: 'Mensagem enviada com sucesso',
        data: {
          id: expect.any(Number),
          role: 'assistant',
          content: 'Aqui é a Marta, posso ajudar.',
          created_at: expect.stringMatching(ISO),
        },
      });
      const { body: read } = await app.http.get(`/api/conversations/${uuid}`);
      expect(read.history.at(-1)).toEqual({ role: 'assistant', content: 'Aqui é a Marta, posso ajudar.' });
      const other = await app.account();
      const missing = await app
        .as(other)
        .post(`/api/user/conversations/${uuid}/messages`)
        .send({ message: 'x' })
        .expect(404);
      expect(missing.body).toEqual({ message: 'Conversa não encontrada' });
    });

    it('lists conversations newest first, page by cursor, forwards and back', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const theirs = await createAssistant(app, owner);
      const uuids: string[] = [];
      for (let count = 0; count < 5; count++) uuids.unshift(await openConversation(app, theirs));
      const list = async (query: Record<string, unknown>) =>
        (await app.as(owner).get('/api/user/conversations').query(query).expect(200)).body;
      const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

      const first = await list({ per_page: 2 });
      expect(first).toMatchObject({
        per_page: 2,
        prev_cursor: null,
        path: expect.stringMatching(/\/api\/user\/conversations$/),
      });
      expect(first.data[0]).toEqual({
        id: uuids[0],
        assistant_id: theirs.uuid,
        assistant_name: assistantBody().name,
        type: 'widget',
        variables: null,
        extracted_variables: {},
        message_count: 1,
        total_cost: 0,
        tokens: null,
        ai_enabled: true,
        last_message: null,
        last_author: null,
        last_message_at: null,
        unread_count: 0,
        waiting_since: null,
        taken_over_at: null,
        ended_at: null,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      });
      const second = await list({ per_page: 2, cursor: first.next_cursor });
      const third = await list({ per_page: 2, cursor: second.next_cursor });
      expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(uuids);
      expect(third.next_cursor).toBeNull();
      const back = await list({ per_page: 2, cursor: third.prev_cursor });
      expect(ids(back)).toEqual(ids(second));
      expect(ids(await list({ per_page: 2, cursor: back.prev_cursor }))).toEqual(ids(first));
    });

    it('filters by type and by assistant, and counts messages and costs', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const [one, two] = [await createAssistant(app, owner), await createAssistant(app, owner)];
      const widget = await openConversation(app, one);
      const test = await openConversation(app, two, { type: 'test' }, owner);
      await sendMessage(app, widget, 'Olá');
      const ids = async (query: Record<string, unknown>) =>
        (await app.as(owner).get('/api/user/conversations').query(query)).body.data.map(
          ({ id }: { id: string }) => id,
        );
      expect(await ids({ type: 'test' })).toEqual([test]);
      expect(await ids({ assistant_id: one.id })).toEqual([widget]);
      expect(await ids({ assistant_id: two.uuid })).toEqual([test]);
      const { body } = await app.as(owner).get('/api/user/conversations').query({ type: 'widget' });
      expect(body.data[0]).toMatchObject({ message_count: 3, total_cost: 0.01 });
    });

    it('filters by exact values of the customer, and matches none by types and senders that no conversation has', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const theirs = await createAssistant(app, owner);
      const open = (variables: object) => openConversation(app, theirs, { variables }, owner);
      const long = 'x'.repeat(64);
      const [ana, , crm, number] = [
        await open({ customer_phone: '+5511987650001' }),
        await open({ customer_phone: '+551198765000' }),
        await open({ external_identifier: `${long}1` }),
        await open({ external_identifier: 4711 }),
        await open({ external_identifier: `${long}2` }),
      ];
      const ids = async (query: Record<string, unknown>) => {
        const { body } = await app.as(owner).get('/api/user/conversations').query(query).expect(200);
        return body.data.map(({ id }: { id: string }) => id);
      };
      expect(await ids({ customer_phone: '+5511987650001' })).toEqual([ana]);
      expect(await ids({ customer_phone: '+5511987650001', sort: 'activity' })).toEqual([]);
      expect(await ids({ external_identifier: `${long}1` })).toEqual([crm]);
      expect(await ids({ external_identifier: '4711' })).toEqual([number]);
      expect(await ids({ customer_phone: '+5511987650001', external_identifier: '4711' })).toEqual([]);
      for (const type of ['whatsapp', 'api']) expect(await ids({ type })).toEqual([]);
      expect(await ids({ whatsapp_sender_phone: '+5511987650001' })).toEqual([]);
      expect(await ids({ type: 'widget', whatsapp_sender_phone: '+5511987650001' })).toEqual([]);
      expect(await ids({})).toHaveLength(5);
    });

    it.each([
      ['cursor', { cursor: 'nonsense' }],
      ['cursor', { cursor: Buffer.from('["next","yesterday","x"]').toString('base64url') }],
      ...['0000-01-01T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'].map(
        (at): [string, object] => [
          'cursor',
          { cursor: Buffer.from(JSON.stringify(['next', at, randomUUID()])).toString('base64url') },
        ],
      ),
      ['per_page', { per_page: 101 }],
      ['per_page', { per_page: 'ten' }],
      ['type', { type: 'x'.repeat(33) }],
      ['assistant_id', { assistant_id: 'x' }],
    ])('answers 422 for a wrong %s', async (field, query) => {
      const { body } = await app.as(account).get('/api/user/conversations').query(query).expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });
  });

  describe('The end of a conversation', () => {
    it('comes when the model uses end_call; later messages are refused', async () => {
      const ending = await createAssistant(app, account, {
        tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
      });
      const uuid = await openConversation(app, ending);
      const { body } = await sendMessage(app, uuid, 'Pode usar end_conversation').expect(200);
      expect(body.function_calls).toEqual([
        { name: 'end_conversation', arguments: {}, result: { ended: true } },
      ]);
      const { body: refused } = await sendMessage(app, uuid, 'Ainda aí?').expect(400);
      expect(refused).toEqual({ status: false, error: 'Conversation has ended' });
    });

    // spec: create-assistant.conversation_ended_retrigger
    it('is undone by a new message with conversation_ended_retrigger', async () => {
      const ending = await createAssistant(app, account, {
        tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
        conversation_ended_retrigger: true,
      });
      const uuid = await openConversation(app, ending);
      await sendMessage(app, uuid, 'Pode usar end_conversation').expect(200);
      await sendMessage(app, uuid, 'Voltei').expect(200);
    });
  });
});
