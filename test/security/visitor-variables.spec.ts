import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, createTool } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';

const STRANGER = '+5511900000000';

/** A tool of the owner asks a server for the data of the customer whom these variables name. */
describe('variables by which a tool knows the customer', () => {
  let app: TestApp;
  let shop: LocalServer;
  let asked: { readonly url: string; readonly account: string; readonly plan: string }[];
  let owner: TestAccount;
  let model: ScriptedChatModel;
  let tool: number;

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    shop = await LocalServer.start(({ path: url, headers }, response) => {
      asked.push({
        url,
        account: String(headers['x-account'] ?? ''),
        plan: String(headers['x-plan'] ?? ''),
      });
      answerJson(response, { orders: [] });
    });
    owner = await app.account({ balanceUsd: 10 });
    tool = await createTool(app, owner, {
      name: 'list_orders',
      endpoint: `${shop.url}/orders?phone={{customer_phone}}`,
      headers: [
        { name: 'X-Account', value: '{{account}}' },
        { name: 'X-Plan', value: '{{plan}}' },
      ],
    });
  });
  beforeEach(() => {
    asked = [];
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await app.stop();
    await shop.stop();
  });

  async function assistantWith(overrides: Record<string, unknown> = {}): Promise<CreatedAssistant> {
    model = ScriptedChatModel.saying({ calls: [{ name: 'list_orders' }] }, { text: 'Pronto.' });
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    return createAssistant(app, owner, {
      system_prompt: 'Telefone {{customer_phone}}, conta {{account}}, plano {{plan}}.',
      variables: { account: 'OWNER', plan: '' },
      tool_ids: [tool],
      ...overrides,
    });
  }

  async function talk(
    assistant: CreatedAssistant,
    variables: Record<string, unknown>,
    caller = app.http,
  ): Promise<void> {
    const { body } = await caller
      .post('/api/conversations')
      .send({ assistant_id: assistant.uuid, variables })
      .expect(200);
    await app.http
      .post(`/api/conversations/${body.conversation_id}/messages`)
      .send({ message: 'Meus pedidos' })
      .expect(200);
  }
  const prompt = () => model.requests[0]?.messages[0]?.content;

  it.each([
    ['as they are spelled', { customer_phone: STRANGER, account: 'STRANGER', plan: 'gold' }],
    ['in another spelling', { 'Customer Phone': STRANGER, ACCOUNT: 'STRANGER', Plan: 'gold' }],
  ])('are not those of a visitor, %s, where the owner has a value', async (_what, variables) => {
    await talk(await assistantWith(), variables);
    expect(asked).toEqual([{ url: '/orders?phone=', account: 'OWNER', plan: 'gold' }]);
    expect(prompt()).toContain('conta STRANGER, plano gold.');
  });

  it('keep the telephone number of a visitor in the prompt', async () => {
    await talk(await assistantWith(), { customer_phone: STRANGER });
    expect(prompt()).toContain(`Telefone ${STRANGER}, conta OWNER`);
    expect(asked).toEqual([{ url: '/orders?phone=', account: 'OWNER', plan: '' }]);
  });

  it('are those of the owner who opens the conversation', async () => {
    await talk(await assistantWith(), { customer_phone: STRANGER, account: 'A-7' }, app.as(owner));
    expect(asked).toEqual([
      { url: `/orders?phone=${encodeURIComponent(STRANGER)}`, account: 'A-7', plan: '' },
    ]);
  });

  it.each([
    [['Account'], { account: 'STRANGER', plan: '' }],
    [['plan'], { account: 'OWNER', plan: 'gold' }],
    [['customer_phone'], { account: 'OWNER', plan: '' }],
    [[], { account: 'OWNER', plan: '' }],
  ])('are of a visitor only where visitor_variables names them: %j', async (visitor_variables, sent) => {
    const assistant = await assistantWith({ visitor_variables });
    await talk(assistant, { customer_phone: STRANGER, account: 'STRANGER', plan: 'gold' });
    expect(asked).toEqual([{ url: '/orders?phone=', ...sent }]);
    expect(prompt()).toContain('conta STRANGER, plano gold.');
    const { body } = await app.as(owner).get(`/api/user/assistant/${assistant.id}`).expect(200);
    expect(body.visitor_variables).toEqual(visitor_variables);
  });

  it('follow a change of the list in an open conversation', async () => {
    const assistant = await assistantWith();
    await app
      .as(owner)
      .put(`/api/user/assistant/${assistant.id}`)
      .send({ visitor_variables: [] })
      .expect(200);
    await talk(assistant, { plan: 'gold' });
    expect(asked).toEqual([{ url: '/orders?phone=', account: 'OWNER', plan: '' }]);
    await app
      .as(owner)
      .put(`/api/user/assistant/${assistant.id}`)
      .send({ visitor_variables: null })
      .expect(200);
    const { body } = await app.as(owner).get(`/api/user/assistant/${assistant.id}`).expect(200);
    expect(body.visitor_variables).toBeNull();
  });

  it('are those that the owner’s server has given in a lookup, whatever a visitor has sent', async () => {
    const crm = await LocalServer.start((_request, response) =>
      answerJson(response, { customer_phone: '+551130000000', account: 'LOOKUP' }),
    );
    try {
      const assistant = await assistantWith({ lookup_url: `${crm.url}/who`, visitor_variables: [] });
      await talk(assistant, { 'Customer Phone': STRANGER, ACCOUNT: 'STRANGER', plan: 'gold' });
      expect(asked).toEqual([{ url: '/orders?phone=%2B551130000000', account: 'LOOKUP', plan: '' }]);
      expect(prompt()).toContain('Telefone +551130000000, conta LOOKUP, plano gold.');
    } finally {
      await crm.stop();
    }
  });

  it('are not a visitor’s under the names of a lookup that has failed', async () => {
    const crm = await LocalServer.start((_request, response) => answerJson(response, ['account']));
    try {
      const assistant = await assistantWith({ lookup_url: `${crm.url}/who`, visitor_variables: [] });
      await talk(assistant, { customer_phone: STRANGER, account: 'STRANGER' });
      expect(asked).toEqual([{ url: '/orders?phone=', account: 'OWNER', plan: '' }]);
    } finally {
      await crm.stop();
    }
  });
});
