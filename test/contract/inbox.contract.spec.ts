import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { IdleConversationsService } from '../../src/modules/conversations/endings/idle-conversations.service.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import {
  createAssistant,
  type CreatedAssistant,
  openConversation,
  sendMessage,
} from '../support/builders.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('the inbox', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 5 });
    assistant = await createAssistant(app, owner);
  });
  afterAll(() => app.stop());

  const act = (uuid: string, action: string, caller = owner) =>
    app.as(caller).post(`/api/user/conversations/${uuid}/${action}`);
  const reply = (uuid: string, message: string) => act(uuid, 'messages').send({ message });
  const list = async (query: Record<string, unknown> = {}) =>
    (
      await app
        .as(owner)
        .get('/api/user/conversations')
        .query({ sort: 'activity', ...query })
        .expect(200)
    ).body;
  const ids = async (query: Record<string, unknown> = {}): Promise<string[]> =>
    (await list(query)).data.map(({ id }: { id: string }) => id);
  const item = async (uuid: string) =>
    (await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200)).body;
  const open = (variables?: object) =>
    openConversation(app, assistant, variables ? { variables } : {}, owner);
  /** One in which a customer has written. */
  const written = async (message = 'Olá', variables?: object) => {
    const uuid = await open(variables);
    await sendMessage(app, uuid, message).expect(200);
    return uuid;
  };

  describe('The list', () => {
    it('shows the last message, who wrote it, and what is unread', async () => {
      const uuid = await written('A que horas abre?');
      const found = await item(uuid);
      expect(found).toMatchObject({
        id: uuid,
        last_author: 'ai',
        last_message: expect.stringContaining('6 horas'),
        last_message_at: expect.stringMatching(ISO),
        unread_count: 1,
        waiting_since: null,
        taken_over_at: null,
        ended_at: null,
      });
      expect((await list()).data).toEqual([found]);
    });

    it('is sorted by the last message and leaves out conversations without a message of the customer', async () => {
      const greeted = await open();
      const [first, second] = [await written(), await written()];
      expect(await ids()).toEqual([second, first]);
      await sendMessage(app, first, 'Mais uma coisa').expect(200);
      expect(await ids()).toEqual([first, second]);
      expect(await ids({ sort: 'created' })).toEqual([second, first, greeted]);
    });

    it('is paged by a cursor of its own order, forwards and back', async () => {
      const uuids: string[] = [];
      for (let count = 0; count < 5; count++) uuids.push(await written());
      await sendMessage(app, uuids[0] ?? '', 'De novo').expect(200);
      const order = [0, 4, 3, 2, 1].map((index) => uuids[index]);
      const page = async (cursor?: string) => list({ per_page: 2, ...(cursor ? { cursor } : {}) });
      const first = await page();
      const second = await page(first.next_cursor);
      const third = await page(second.next_cursor);
      const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }: { id: string }) => id));
      expect(seen).toEqual(order);
      expect(third.next_cursor).toBeNull();
      expect((await page(third.prev_cursor)).data).toEqual(second.data);
      await app
        .as(owner)
        .get('/api/user/conversations')
        .query({ sort: 'created', cursor: first.next_cursor })
        .expect(422);
    });

    it('is filtered by state and by what is unread', async () => {
      const [ai, human, waiting, ended] = [
        await written(),
        await written(),
        await written(),
        await written(),
      ];
      await act(human, 'takeover').expect(200);
      await act(human, 'read').expect(200);
      await act(waiting, 'takeover').expect(200);
      await sendMessage(app, waiting, 'Tem alguém aí?').expect(200);
      await act(ended, 'close').expect(200);
      expect(await ids({ state: 'open' })).toEqual([waiting, human, ai]);
      expect(await ids({ state: 'ai' })).toEqual([ai]);
      expect(await ids({ state: 'human' })).toEqual([waiting, human]);
      expect(await ids({ state: 'waiting' })).toEqual([waiting]);
      expect(await ids({ state: 'ended' })).toEqual([ended]);
      expect(await ids({ unread: 'true' })).toEqual([waiting, ai]);
      expect(await ids({ unread: 'false' })).toEqual([ended, human]);
      expect(await ids({ unread: 'true', state: 'ai' })).toEqual([ai]);
    });

    it('is searched by words of messages and variables, without accents and from their beginnings', async () => {
      const bread = await written('Vocês têm PÃO de açúcar?');
      const named = await written('Olá', { name: "José d'Ávila", contact: { phone: '+55 11 98765-4321' } });
      expect(await ids({ q: 'pao acuc' })).toEqual([bread]);
      expect(await ids({ q: 'açúcar pão' })).toEqual([bread]);
      expect(await ids({ q: 'ávila jose' })).toEqual([named]);
      expect(await ids({ q: '98765' })).toEqual([named]);
      expect(await ids({ q: bread })).toEqual([bread]);
      expect(await ids({ q: 'pao jose' })).toEqual([]);
      expect(await ids({ q: 'name' })).toEqual([]);
      expect(await ids({ q: '  ' })).toHaveLength(2);
    });

    it.each([
      "'",
      "\\' | 1:*",
      '& | ! <->',
      ':*',
      '%_',
      '-- ;',
      'a'.repeat(200),
      '日本語',
      "x' ) OR true --",
    ])('finds nothing for %j, and nothing breaks', async (q) => {
      await written();
      expect(await ids({ q })).toEqual([]);
    });

    it('stores a message of one endless word', async () => {
      const uuid = await written('x'.repeat(2_000));
      expect(await ids({ q: 'x'.repeat(100) })).toEqual([uuid]);
    });

    it('finds nothing of another account by its words', async () => {
      await written('palavra rarissima');
      const { body } = await app
        .as(await app.account())
        .get('/api/user/conversations')
        .query({ q: 'rarissima' })
        .expect(200);
      expect(body.data).toEqual([]);
    });

    it.each([
      ['state', { state: 'lost' }],
      ['unread', { unread: 'yes' }],
      ['sort', { sort: 'name' }],
      ['q', { q: 'x'.repeat(201) }],
    ])('answers 422 for a wrong %s', async (field, query) => {
      const { body } = await app.as(owner).get('/api/user/conversations').query(query).expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });
  });

  describe('The thread', () => {
    it('shows each message with its id, author and time, and is read in pieces', async () => {
      const uuid = await written('Um');
      await reply(uuid, 'Aqui é a Marta.').expect(201);
      await sendMessage(app, uuid, 'Dois').expect(200);
      const thread = async (query: Record<string, unknown> = {}) =>
        (await app.as(owner).get(`/api/user/conversations/${uuid}/messages`).query(query).expect(200)).body;
      const whole = await thread();
      expect(whole.has_more).toBe(false);
      const authors = whole.data.map(({ author, role }: Record<string, string>) => `${author} as ${role}`);
      expect(authors).toEqual([
        'ai as assistant',
        'customer as user',
        'ai as assistant',
        'agent as assistant',
        'customer as user',
      ]);
      expect(whole.data[3]).toEqual({
        id: expect.any(Number),
        role: 'assistant',
        author: 'agent',
        member_name: null,
        content: 'Aqui é a Marta.',
        created_at: expect.stringMatching(ISO),
      });
      expect(await thread({ limit: 2 })).toEqual({ data: whole.data.slice(3), has_more: true });
      expect(await thread({ limit: 2, before: whole.data[3].id })).toEqual({
        data: whole.data.slice(1, 3),
        has_more: true,
      });
      expect(await thread({ limit: 2, after: whole.data[0].id })).toEqual({
        data: whole.data.slice(1, 3),
        has_more: true,
      });
      expect(await thread({ after: whole.data[4].id })).toEqual({ data: [], has_more: false });

      const { body } = await app.http
        .get(`/api/conversations/${uuid}/messages`)
        .query({ after: whole.data[2].id });
      // As its owner reads it, but for the names of those who work there.
      const seen = whole.data
        .slice(3)
        .map(({ member_name: _name, ...message }: Record<string, unknown>) => message);
      expect(body).toEqual({ status: true, data: seen, has_more: false });
      await app.http.get(`/api/conversations/${randomUUID()}/messages`).expect(404);
    });

    it.each([
      ['before', { before: 0 }],
      ['after', { after: 'x' }],
      ['limit', { limit: 201 }],
    ])('answers 422 for a wrong %s', async (field, query) => {
      const uuid = await open();
      const { body } = await app
        .as(owner)
        .get(`/api/user/conversations/${uuid}/messages`)
        .query(query)
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });
  });

  describe("A person's reply", () => {
    it('takes the conversation over: the AI is off, no customer waits, nothing is unread', async () => {
      const uuid = await written();
      await reply(uuid, 'Posso ajudar?').expect(201);
      expect(await item(uuid)).toMatchObject({
        ai_enabled: false,
        taken_over_at: expect.stringMatching(ISO),
        waiting_since: null,
        unread_count: 0,
        last_author: 'agent',
        last_message: 'Posso ajudar?',
      });
      const { body } = await sendMessage(app, uuid, 'Sim').expect(200);
      expect(body).toEqual({ status: true, message: '', function_calls: [] });
      expect(await item(uuid)).toMatchObject({ waiting_since: expect.stringMatching(ISO), unread_count: 1 });
    });

    it('opens a conversation that had ended', async () => {
      const uuid = await written();
      await act(uuid, 'close').expect(200);
      await sendMessage(app, uuid, 'Ainda está aí?').expect(400);
      await reply(uuid, 'Esqueci de dizer uma coisa.').expect(201);
      expect(await item(uuid)).toMatchObject({ ended_at: null });
      await sendMessage(app, uuid, 'Diga').expect(200);
    });
  });

  describe('Actions', () => {
    it('take over, hand back: the AI answers the next message', async () => {
      const uuid = await written();
      const taken = await act(uuid, 'takeover').expect(200);
      expect(taken.body).toEqual({ message: 'Agora você atende esta conversa', data: await item(uuid) });
      expect(taken.body.data).toMatchObject({ ai_enabled: false, taken_over_at: expect.stringMatching(ISO) });
      await sendMessage(app, uuid, 'Olá?').expect(200);
      const { body } = await act(uuid, 'handback').expect(200);
      expect(body.data).toMatchObject({ ai_enabled: true, taken_over_at: null, waiting_since: null });
      expect((await sendMessage(app, uuid, 'A que horas abre?').expect(200)).body.message).not.toBe('');
    });

    it.each(['handback', 'reopen'])(
      '%s of a conversation that the AI has: the answer under way comes',
      async (action) => {
        const uuid = await open();
        const select = jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select');
        let begin = () => {};
        const begun = new Promise<void>((resolve) => (begin = resolve));
        const model = ScriptedChatModel.saying({ text: 'Abrimos às nove.' });
        // The first one is for the header of the answer.
        select.mockResolvedValueOnce(model).mockImplementation(() => begun.then(() => model));
        const sent = sendMessage(app, uuid, 'A que horas abre?').then((response) => response);
        await until(async () => select.mock.calls.length === 2);
        await act(uuid, action).expect(200);
        begin();
        expect(await sent).toMatchObject({ status: 200, body: { message: 'Abrimos às nove.' } });
        select.mockRestore();
      },
    );

    it('a tool that calls for a person makes the customer wait for one', async () => {
      const uuid = await written();
      const automate = (verb: string) =>
        app.as(owner).post(`/api/automate/conversations/${uuid}/${verb}`).expect(200);
      await automate('disable-ai');
      const since = (await item(uuid)).waiting_since;
      expect(since).toMatch(ISO);
      await automate('disable-ai');
      await sendMessage(app, uuid, 'Estou esperando').expect(200);
      expect((await item(uuid)).waiting_since).toBe(since);
      await automate('enable-ai');
      expect((await item(uuid)).waiting_since).toBeNull();
    });

    it('mark as read and as unread', async () => {
      const uuid = await written();
      expect((await act(uuid, 'read').expect(200)).body.data.unread_count).toBe(0);
      expect((await act(uuid, 'unread').expect(200)).body.data.unread_count).toBe(1);
      expect((await act(uuid, 'unread').expect(200)).body.data.unread_count).toBe(1);
    });

    it('close: the conversation is over, once', async () => {
      const uuid = await written();
      await act(uuid, 'takeover').expect(200);
      const { body } = await act(uuid, 'close').expect(200);
      expect(body.data).toMatchObject({
        ended_at: expect.stringMatching(ISO),
        unread_count: 0,
        ai_enabled: true,
      });
      expect((await act(uuid, 'close').expect(200)).body.data.ended_at).toBe(body.data.ended_at);
    });

    it('reopen: the conversation is open again, as it was before a person closed it', async () => {
      const [ai, human, waiting] = [await written(), await written(), await written()];
      await act(human, 'takeover').expect(200);
      await act(waiting, 'takeover').expect(200);
      await sendMessage(app, waiting, 'Tem alguém aí?').expect(200);
      for (const uuid of [ai, human, waiting]) {
        const { ai_enabled, taken_over_at, waiting_since } = await item(uuid);
        await act(uuid, 'close').expect(200);
        await act(uuid, 'close').expect(200);
        const { body } = await act(uuid, 'reopen').expect(200);
        expect(body.data).toMatchObject({ ended_at: null, ai_enabled, taken_over_at, waiting_since });
      }
      const { body } = await act(waiting, 'reopen').expect(200);
      expect(body.data.waiting_since).toMatch(ISO);
    });

    it('reopen: one that ended otherwise is answered by the AI, also when a person had closed it before', async () => {
      const uuid = await written();
      await act(uuid, 'takeover').expect(200);
      await act(uuid, 'close').expect(200);
      await reply(uuid, 'Mais uma coisa').expect(201);
      await act(uuid, 'handback').expect(200);
      await app.query("UPDATE conversations SET idle_at = now() - interval '1 minute' WHERE id = $1", [uuid]);
      await app.app.get(IdleConversationsService, { strict: false }).endIdle();
      expect((await item(uuid)).ended_at).toMatch(ISO);
      const { body } = await act(uuid, 'reopen').expect(200);
      expect(body.data).toMatchObject({ ended_at: null, ai_enabled: true, taken_over_at: null });
    });

    it('a tool does not call a person into a conversation that is over', async () => {
      const uuid = await written();
      await act(uuid, 'close').expect(200);
      await app.as(owner).post(`/api/automate/conversations/${uuid}/disable-ai`).expect(200);
      expect(await item(uuid)).toMatchObject({ ai_enabled: false, waiting_since: null });
      expect(await ids({ state: 'waiting' })).toEqual([]);
    });

    it('answer 404 for what is not there or belongs to another account, and change nothing', async () => {
      const uuid = await written();
      const before = await item(uuid);
      const other = await app.account();
      for (const action of ['takeover', 'handback', 'close', 'reopen', 'read', 'unread']) {
        for (const [caller, target] of [
          [other, uuid],
          [owner, randomUUID()],
          [owner, 'x'],
        ] as const) {
          const { body } = await act(target, action, caller).expect(404);
          expect(body).toEqual({ message: 'Conversa não encontrada' });
        }
      }
      expect(await item(uuid)).toEqual(before);
    });
  });

  describe('The end', () => {
    const passMinutes = async (uuid: string, minutes: number) => {
      await app.query(
        'UPDATE conversations SET idle_at = idle_at - make_interval(mins => $2) WHERE id = $1',
        [uuid, minutes],
      );
      await app.app.get(IdleConversationsService, { strict: false }).endIdle();
    };

    it('by inactivity clears the waiting state', async () => {
      const uuid = await written();
      await act(uuid, 'takeover').expect(200);
      await sendMessage(app, uuid, 'Tem alguém aí?').expect(200);
      await passMinutes(uuid, 60);
      expect(await item(uuid)).toMatchObject({
        ended_at: expect.stringMatching(ISO),
        waiting_since: null,
      });
      expect(await ids({ state: 'waiting' })).toEqual([]);
    });

    it('by the model, after its tool has called for a person, clears the waiting state', async () => {
      assistant = await createAssistant(app, owner, {
        tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
      });
      const uuid = await written();
      await app.query('UPDATE conversations SET waiting_since = now() WHERE id = $1', [uuid]);
      await sendMessage(app, uuid, 'Pode usar end_conversation').expect(200);
      expect(await item(uuid)).toMatchObject({
        ended_at: expect.stringMatching(ISO),
        waiting_since: null,
      });
    });

    it('comes half an hour after the last words of a person whose assistant is deleted', async () => {
      const uuid = await written();
      await app.as(owner).delete(`/api/user/assistant/${assistant.id}`).expect(200);
      await reply(uuid, 'Quem atendia saiu, sou eu agora.').expect(201);
      await passMinutes(uuid, 29);
      expect(await item(uuid)).toMatchObject({ ended_at: null });
      await passMinutes(uuid, 1);
      expect(await item(uuid)).toMatchObject({ ended_at: expect.stringMatching(ISO) });
    });
  });

  describe('A test conversation', () => {
    it("is opened by the owner's session or key with the assistant's id, is free, and leaves nothing unread", async () => {
      const { body } = await app
        .as(owner)
        .post('/api/user/conversations')
        .send({ assistant_id: assistant.id })
        .expect(201);
      expect(body).toEqual({
        message: 'Conversa de teste criada com sucesso',
        data: {
          conversation_id: expect.any(String),
          history: [{ role: 'assistant', content: 'Olá! Como posso ajudar?' }],
        },
      });
      await sendMessage(app, body.data.conversation_id, 'Olá').expect(200);
      expect(await item(body.data.conversation_id)).toMatchObject({
        type: 'test',
        total_cost: 0,
        unread_count: 0,
      });
    });

    it('is refused with an assistant of another account, as with one that is not there', async () => {
      const other = await app.account();
      for (const id of [assistant.id, 1_999_999_999]) {
        const { body } = await app
          .as(other)
          .post('/api/user/conversations')
          .send({ assistant_id: id })
          .expect(404);
        expect(body).toEqual({ message: 'Assistente não encontrado' });
      }
    });
  });
});
