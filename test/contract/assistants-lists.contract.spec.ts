import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AssistantsService } from '../../src/modules/assistants/assistants.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import {
  AssistantsApi,
  type Body,
  CATALOG,
  DUALPLEX,
  MISSING,
  MULTIMODAL,
} from '../support/assistants-api.js';
import { createTool } from '../support/builders.js';

let api: AssistantsApi;
let app: TestApp;
let account: TestAccount;

beforeAll(async () => {
  api = await AssistantsApi.start();
  ({ app, account } = api);
});
afterAll(() => api.app.stop());

describe('Lists', () => {
  let owner: TestAccount;
  const ids: number[] = [];

  beforeAll(async () => {
    owner = await app.account();
    for (let index = 0; index < 12; index++) {
      ids.unshift(
        await api.created({ name: `A${index}`, type: index % 3 === 0 ? 'outbound' : 'inbound' }, owner),
      );
    }
  });

  it('has 10 full assistants a page by default, newest first', async () => {
    const { body } = await app.as(owner).get('/api/user/assistants/get').expect(200);
    expect(body).toMatchObject({ current_page: 1, per_page: 10, total: 12, last_page: 2, from: 1, to: 10 });
    expect(body.data.map(({ id }: Body) => id)).toEqual(ids.slice(0, 10));
    expect(body.data[0]).toEqual(await api.read(ids[0]!, owner));
    expect(body.next_page_url).toMatch(/\/api\/user\/assistants\/get\?page=2$/);
  });

  it('takes per_page, page and type, and keeps them in the URLs', async () => {
    const { body } = await app
      .as(owner)
      .get('/api/user/assistants/get?type=outbound&per_page=3&page=2')
      .expect(200);
    expect(body).toMatchObject({ current_page: 2, per_page: 3, total: 4, to: 4 });
    expect(body.data).toHaveLength(1);
    expect(body.first_page_url).toContain('type=outbound');
  });

  it.each(['per_page=0', 'per_page=101', 'page=0', 'type=both', 'per_page=x'])(
    'refuses %s',
    async (query) => {
      const { body } = await app.as(owner).get(`/api/user/assistants/get?${query}`).expect(422);
      expect(Object.keys(body.errors)).toEqual([query.split('=')[0]]);
    },
  );

  it('answers a bare array of all, newest first', async () => {
    const body = await api.list('', owner);
    expect(body.map(({ id }) => id)).toEqual(ids);
    expect(body[0]).toEqual(await api.read(ids[0]!, owner));
  });

  it('answers a bare array of the outbound ones in their reduced form', async () => {
    const body = await api.list('/outbound', owner);
    expect(body).toHaveLength(4);
    expect(Object.keys(body[0]!).sort()).toEqual(
      [
        'id',
        'user_id',
        'name',
        'type',
        'mode',
        'status',
        'voice_id',
        'language_id',
        'timezone',
        'initial_message',
        'system_prompt',
        'variables',
        'webhook_url',
        'is_webhook_active',
        'created_at',
        'updated_at',
      ].sort(),
    );
    expect(new Set(body.map(({ type }) => type))).toEqual(new Set(['outbound']));
  });

  it('ends where an answer has 16 MB of settings, and refuses a page with more', async () => {
    const large = await app.account();
    const newest: number[] = [];
    for (let index = 0; index < 18; index++) newest.unshift(await api.created({}, large));
    // Compressed, as the database keeps them, these are some kilobytes.
    await app.query(
      `UPDATE assistants SET config = config || jsonb_build_object('variables', jsonb_build_object('notes', repeat('Atenda. ', 125000)))
       WHERE user_id = $1`,
      [large.userId],
    );
    expect((await api.list('', large)).map(({ id }) => id)).toEqual(newest.slice(0, 16));
    const page = (query: string) => app.as(large).get(`/api/user/assistants/get?${query}`);
    expect(Object.keys((await page('per_page=17').expect(422)).body.errors)).toEqual(['per_page']);
    const { body } = await page('per_page=17&page=2').expect(200);
    expect(body.data.map(({ id }: Body) => id)).toEqual(newest.slice(17));
  });

  it('shows no other account’s assistants', async () => {
    const other = await app.account();
    expect(await api.list('', other)).toEqual([]);
    expect(await api.list('/outbound', other)).toEqual([]);
    const { body } = await app.as(other).get('/api/user/assistants/get').expect(200);
    expect(body).toMatchObject({ data: [], total: 0, from: null, to: null });
  });
});

describe('Webhook switches', () => {
  const post = (path: string, body: Body, owner = account) =>
    app.as(owner).post(`/api/user/assistants/${path}`).send(body);
  const url = 'https://example.com/hook';
  const switches: [string, string, Body, Body][] = [
    [
      'webhook',
      'Webhook',
      { is_webhook_active: true, webhook_url: url },
      { is_webhook_active: false, webhook_url: null },
    ],
    // spec: disable-inbound-webhook.success, disable-inbound-webhook.effect-stops-delivery
    // spec: events.when-inbound-webhook, events.payload-shapes-how
    [
      'inbound-webhook',
      'Webhook de chamadas recebidas',
      { inbound_webhook_url: url },
      { inbound_webhook_url: null },
    ],
    // spec: create-assistant.conversation_ended_webhook_url
    [
      'conversation-ended-webhook',
      'Webhook de conversa encerrada',
      { conversation_ended_webhook_url: url },
      { conversation_ended_webhook_url: null },
    ],
  ];

  it.each(switches)(
    'enable-%s and its opposite set and clear it: %s',
    async (name, label, enabled, disabled) => {
      const id = await api.created();
      const on = await post(`enable-${name}`, { assistant_id: id, webhook_url: url }).expect(200);
      expect(on.body).toEqual({ message: `${label} ativado com sucesso`, data: [] });
      expect(await api.read(id)).toMatchObject(enabled);
      const off = await post(`disable-${name}`, { assistant_id: id }).expect(200);
      expect(off.body).toEqual({ message: `${label} desativado com sucesso`, data: [] });
      expect(await api.read(id)).toMatchObject(disabled);
      await post(`disable-${name}`, { assistant_id: id }).expect(200);
    },
  );

  it('leave the inbound webhook alone when the assistant is updated', async () => {
    const id = await api.created();
    await post('enable-inbound-webhook', { assistant_id: id, webhook_url: url }).expect(200);
    await api.update(id, { name: 'Outro' }).expect(200);
    expect(await api.read(id)).toMatchObject({ inbound_webhook_url: url });
  });

  describe.each(switches.flatMap(([name]) => [`enable-${name}`, `disable-${name}`]))('%s', (path) => {
    // spec: disable-inbound-webhook.assistant-missing-not
    it('answers 404 with a message for a missing and for another account’s assistant', async () => {
      const id = await api.created();
      const other = await app.account();
      for (const target of [MISSING, id]) {
        const { body } = await post(path, { assistant_id: target, webhook_url: url }, other).expect(404);
        expect(body).toEqual({ message: 'Assistente não encontrado' });
      }
    });

    // spec: disable-inbound-webhook.assistant_id
    it('answers 422 with errors.assistant_id when it is missing or no integer', async () => {
      for (const assistantId of [undefined, null, 'x', 1.5]) {
        const { body } = await post(path, { assistant_id: assistantId, webhook_url: url }).expect(422);
        expect(Object.keys(body.errors)).toEqual(['assistant_id']);
      }
    });
  });

  it.each(switches)('enable-%s needs a webhook_url of http or https', async (name) => {
    const id = await api.created();
    for (const webhookUrl of [undefined, null, '', 'x', 'javascript:alert(1)', 'ftp://example.com']) {
      const { body } = await post(`enable-${name}`, { assistant_id: id, webhook_url: webhookUrl }).expect(
        422,
      );
      expect(Object.keys(body.errors)).toEqual(['webhook_url']);
    }
  });
});

describe('what the runtime is given', () => {
  const runtime = async (id: number, owner = account) =>
    (await app.app.get(AssistantsService).findRuntime(owner.userId, id))!;

  it('is found by uuid, and by the owner’s id', async () => {
    const id = await api.created();
    const { uuid } = await api.read(id);
    const byUuid = await app.app.get(AssistantsService).findByUuid(uuid);
    expect(byUuid).toEqual(await runtime(id));
    expect(byUuid).toMatchObject({ id, uuid, userId: account.userId, language: { name: 'Portuguese' } });
    expect(await app.app.get(AssistantsService).findRuntime((await app.account()).userId, id)).toBeNull();
  });

  it('has a version that changes with the assistant, its tools and its knowledge base, and with nothing else', async () => {
    const owner = await app.account();
    const tool = await createTool(app, owner);
    const base = await api.knowledgebase(owner);
    const id = await api.created({ tool_ids: [tool], knowledgebase_id: base }, owner);
    const versions = [(await runtime(id, owner)).version];
    const after = async (step: Promise<unknown>) => {
      await step;
      versions.push((await runtime(id, owner)).version);
    };
    expect((await runtime(id, owner)).version).toBe(versions[0]);
    await after(api.update(id, { name: 'Outro' }, owner).expect(200));
    await after(
      app
        .as(owner)
        .post('/api/user/assistants/enable-webhook')
        .send({ assistant_id: id, webhook_url: 'https://a.example' })
        .expect(200),
    );
    await after(app.as(owner).put(`/api/user/tools/${tool}`).send({ timeout: 3 }).expect(200));
    await after(app.as(owner).delete(`/api/user/tools/${tool}`).expect(200));
    await after(api.remove('knowledgebases', base));
    expect(new Set(versions).size).toBe(versions.length);
    expect((await runtime(id, owner)).toolIds).toEqual([]);
    expect(await api.read(id, owner)).toMatchObject({ tool_ids: [] });
  });

  // spec: create-assistant.chat_llm_fallback_id
  it('names the model that answers in chat: the LLM, the fallback LLM, or the first of the catalogue', async () => {
    const chatModel = async (overrides: Body) => (await runtime(await api.created(overrides))).chatModel.id;
    expect(await chatModel({ llm_model_id: CATALOG.otherLlm })).toBe(CATALOG.otherLlm);
    expect(await chatModel({ ...MULTIMODAL, chat_llm_fallback_id: CATALOG.otherLlm })).toBe(CATALOG.otherLlm);
    expect(await chatModel(DUALPLEX)).toBe(CATALOG.llm);
  });
});
