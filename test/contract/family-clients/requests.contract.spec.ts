import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';
import { type TestAccount, TestApp } from '../../support/app.js';
import { assistantBody, createAssistant } from '../../support/builders.js';

/** Requests of published clients of the API family, as these clients send them. */
describe('requests of published clients', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: { id: number; uuid: string };
  let campaign: number;
  let lead: number;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
    assistant = await createAssistant(app, owner, { type: 'outbound' });
    const made = await app
      .as(owner)
      .post('/api/user/campaigns')
      .send({ name: 'Spring', assistant_id: String(assistant.id) })
      .expect(201);
    campaign = made.body.data.id;
    const added = await app
      .as(owner)
      .post('/api/user/lead')
      .send({ campaign_id: String(campaign), phone_number: '+966501234567' })
      .expect(200);
    lead = added.body.data.id;
  });
  afterAll(() => app.stop());

  const json = (test: request.Test) => test.set('Accept', 'application/json');
  const get = (path: string) => json(app.as(owner).get(path));
  const post = (path: string, body: object) => json(app.as(owner).post(path)).send(body);
  const put = (path: string, body: object) => json(app.as(owner).put(path)).send(body);
  const ignoredOf = ({ headers }: request.Response) => headers['prosa-ignored-fields'] as unknown;

  describe('ids as strings', () => {
    it('make_call takes the assistant of a tool that declares a string', async () => {
      const { body } = await post('/api/user/make_call', {
        assistant_id: String(assistant.id),
        phone_number: '+4915112345678',
      }).expect(200);
      expect(body).toMatchObject({ call_id: expect.any(Number), status: expect.any(String) });
    });

    it('a portal changes a lead with the value of a select', async () => {
      const { body } = await put(`/api/user/leads/${lead}`, {
        phone_number: '+966501234568',
        campaign_id: String(campaign),
      }).expect(200);
      expect(body).toEqual({ message: 'Contato atualizado com sucesso' });
    });

    it('nested ids and lists of ids may be strings, free values stay as they are', async () => {
      const other = await createAssistant(app, owner);
      const { body } = await post(
        '/api/user/assistant',
        assistantBody({
          voice_id: '1',
          max_duration: '600',
          tool_ids: [],
          variables: { order: '4711' },
          tools: [
            { type: 'handoff', destinations: [{ assistant_id: String(other.id), description: 'Sales' }] },
          ],
        }),
      ).expect(201);
      const read = await get(`/api/user/assistant/${body.data.id}`).expect(200);
      expect(read.body).toMatchObject({
        voice_id: 1,
        max_duration: 600,
        variables: { order: '4711' },
        tools: [{ destinations: [{ assistant_id: other.id }] }],
      });
    });

    it.each(['1.0', 'abc', '', ' 1', true, 2 ** 53])('refuse %j', async (assistant_id) => {
      const { body } = await post('/api/user/make_call', {
        assistant_id,
        phone_number: '+4915112345678',
      }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['assistant_id']);
    });
  });

  describe('other paths', () => {
    it('PUT /leads/{id} changes the variables of a lead', async () => {
      const { body } = await put(`/api/leads/${lead}`, { variables: { plan: 'gold' } }).expect(200);
      expect(body).toEqual({ message: 'Contato atualizado com sucesso' });
      expect((await get(`/api/user/leads/${lead}`)).body.variables).toMatchObject({ plan: 'gold' });
    });

    it('PATCH /user/leads/{id} changes variables and campaign of a lead', async () => {
      const { body } = await json(app.as(owner).patch(`/api/user/leads/${lead}`))
        .send({ variables: { plan: 'silver' }, campaign_id: campaign })
        .expect(200);
      expect(body).toEqual({ message: 'Contato atualizado com sucesso' });
      expect((await get(`/api/user/leads/${lead}`)).body.variables).toMatchObject({ plan: 'silver' });
    });

    it('both refuse what the contract refuses, in its words', async () => {
      const paths = [`/api/user/leads/${lead}`, `/api/leads/${lead}`];
      const answers = [
        ...(await Promise.all(paths.map((path) => put(path, { email: 'a@b.example', status: 'completed' })))),
        await json(app.as(owner).patch(paths[0]!)).send({ email: 'a@b.example', status: 'completed' }),
      ];
      for (const { status, body } of answers) {
        expect({ status, body }).toEqual({ status: 422, body: { message: 'Campos inválidos: email' } });
      }
      await put('/api/leads/1999999999', { variables: {} }).expect(404, {
        message: 'Contato não encontrado',
      });
      await app.http.put(`/api/leads/${lead}`).send({ variables: {} }).expect(401);
    });

    it('folders by their plural paths', async () => {
      const made = await post('/api/user/folders', { name: 'Sales', color: 'blue' }).expect(201);
      const { id } = made.body.data;
      const changed = await put(`/api/user/folders/${id}`, { name: 'Support' }).expect(200);
      expect(changed.body.data).toMatchObject({ id, name: 'Support', color: 'blue' });
      await json(app.as(owner).delete(`/api/user/folders/${id}`)).expect(200);
      await json(app.as(owner).delete(`/api/user/folder/${id}`)).expect(404);
    });

    it('labels by both paths, and on an assistant', async () => {
      const made = await post('/api/user/labels', { name: 'VIP', color: 'blue' }).expect(201);
      const { id } = made.body.data;
      const changed = await put(`/api/user/label/${id}`, { name: 'Gold' }).expect(200);
      expect(changed.body.data).toEqual({ id, name: 'Gold', color: 'blue', assistants_count: 0 });
      const { body } = await post('/api/user/assistant', assistantBody({ label_ids: [id] })).expect(201);
      const shown = await json(app.as(owner).get(`/api/user/assistant/${body.data.id}`)).expect(200);
      expect(shown.body.label_ids).toEqual([id]);
      const { body: listed } = await json(app.as(owner).get('/api/user/labels')).expect(200);
      expect(listed.data).toEqual([{ id, name: 'Gold', color: 'blue', assistants_count: 1 }]);
      await json(app.as(owner).delete(`/api/user/labels/${id}`)).expect(200);
    });
  });

  describe('conversations', () => {
    it.each(['whatsapp', 'api'])('of type %s are an empty page', async (type) => {
      const { body } = await get(`/api/user/conversations?type=${type}`).expect(200);
      expect(body).toMatchObject({ data: [], next_cursor: null, prev_cursor: null });
    });

    it('are those of the customer that is named', async () => {
      const open = async (variables: object) => {
        const { body } = await post('/api/conversations', { assistant_id: assistant.uuid, variables }).expect(
          200,
        );
        return body.conversation_id as string;
      };
      const ana = await open({ customer_phone: '+491700000000' });
      const crm = await open({ external_identifier: 'crm-1' });
      const idsOf = async (query: string) =>
        (await get(`/api/user/conversations?${query}`).expect(200)).body.data.map(
          ({ id }: { id: string }) => id,
        );
      expect(await idsOf('customer_phone=%2B491700000000')).toEqual([ana]);
      expect(await idsOf('external_identifier=crm-1')).toEqual([crm]);
      expect(await idsOf('external_identifier=crm')).toEqual([]);
      expect(await idsOf('whatsapp_sender_phone=%2B491700000000')).toEqual([]);
    });
  });

  describe('tools', () => {
    const create = (tools: object[], extra: object = {}) =>
      post('/api/user/assistant', assistantBody({ tools, ...extra }));
    const toolsOf = async (id: number) => (await get(`/api/user/assistant/${id}`).expect(200)).body.tools;

    it('assistant_transfer is read back as it was written, and may be sent back', async () => {
      const transfer = {
        type: 'assistant_transfer',
        assistant_id: assistant.id,
        description: 'When the customer wants to buy',
        message_before_transfer: 'One moment, please.',
        speak_transfer_greeting: false,
      };
      const { body } = await create([transfer]).expect(201);
      expect(await toolsOf(body.data.id)).toEqual([transfer]);
      const answer = await put(`/api/user/assistant/${body.data.id}`, {
        tools: await toolsOf(body.data.id),
      }).expect(200);
      expect(ignoredOf(answer)).toBeUndefined();
    });

    it('assistant_transfer has defaults for all but the assistant', async () => {
      const { body } = await create([
        { type: 'assistant_transfer', assistant_id: String(assistant.id) },
      ]).expect(201);
      expect(await toolsOf(body.data.id)).toEqual([
        {
          type: 'assistant_transfer',
          assistant_id: assistant.id,
          description: null,
          message_before_transfer: null,
          speak_transfer_greeting: true,
        },
      ]);
    });

    it.each([
      ['another account', { assistant_id: 1_999_999_999 }, 'tools.0.assistant_id'],
      ['no assistant', {}, 'tools.0.assistant_id'],
      ['a long description', { description: 'x'.repeat(501) }, 'tools.0.description'],
      ['a long message', { message_before_transfer: 'x'.repeat(501) }, 'tools.0.message_before_transfer'],
    ])('assistant_transfer with %s is 422', async (title, fields, place) => {
      const own = title === 'no assistant' ? {} : { assistant_id: assistant.id };
      const { body } = await create([{ type: 'assistant_transfer', ...own, ...fields }]).expect(422);
      expect(Object.keys(body.errors)).toEqual([place]);
    });

    it('an assistant is not transferred to itself, nor to one of which another tool knows', async () => {
      const { body } = await create([]).expect(201);
      const { id } = body.data;
      const itself = await put(`/api/user/assistant/${id}`, {
        tools: [{ type: 'assistant_transfer', assistant_id: id }],
      }).expect(422);
      expect(Object.keys(itself.body.errors)).toEqual(['tools.0.assistant_id']);
      const twice = await put(`/api/user/assistant/${id}`, {
        tools: [
          { type: 'handoff', destinations: [{ assistant_id: assistant.id, description: 'Sales' }] },
          { type: 'assistant_transfer', assistant_id: assistant.id },
        ],
      }).expect(422);
      expect(Object.keys(twice.body.errors)).toEqual(['tools.1.assistant_id']);
    });

    it('deleting an assistant takes it out of the transfers of others', async () => {
      const target = await createAssistant(app, owner);
      const { body } = await create([
        { type: 'end_call' },
        { type: 'assistant_transfer', assistant_id: target.id },
        { type: 'assistant_transfer', assistant_id: assistant.id },
      ]).expect(201);
      await app.as(owner).delete(`/api/user/assistant/${target.id}`).expect(200);
      expect(await toolsOf(body.data.id)).toMatchObject([
        { type: 'end_call' },
        { type: 'assistant_transfer', assistant_id: assistant.id },
      ]);
    });

    it('fields below data are those of the tool, as lists of the family show them', async () => {
      const { body, headers } = await create([
        { type: 'end_call', data: { description: 'When all is said' } },
        { type: 'collect_keypad', data: { timeout: '9' }, stop_key: '*' },
      ]).expect(201);
      expect(headers['prosa-ignored-fields']).toBeUndefined();
      expect(await toolsOf(body.data.id)).toEqual([
        { type: 'end_call', description: 'When all is said' },
        { type: 'collect_keypad', timeout: 9, stop_key: '*' },
      ]);
    });

    it('a field that nothing reads is named, and changes nothing', async () => {
      const answer = await create([{ type: 'end_call' }], { engine_id: 1 }).expect(201);
      expect(ignoredOf(answer)).toBe('engine_id');
    });
  });

  it('a client that asks too often reads how long to wait from the body', async () => {
    const limited = await TestApp.start({ RATE_LIMITS: 'on', RATE_LIMIT_PER_KEY_PER_MINUTE: '5' });
    try {
      const caller = await limited.account();
      let answer = await limited.as(caller).get('/api/user/me');
      for (let asked = 0; asked < 10 && answer.status === 200; asked++) {
        answer = await limited.as(caller).get('/api/user/me');
      }
      const { status, body, headers } = answer;
      expect(status).toBe(429);
      expect(body).toEqual({ message: expect.any(String), retry_after: Number(headers['retry-after']) });
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' });
    } finally {
      await limited.stop();
    }
  });
});
