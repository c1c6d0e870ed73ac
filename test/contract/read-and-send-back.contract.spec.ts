import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { fillAccount, type Kind, extensionBody } from '../support/belongings.js';
import { createAssistant, createTool } from '../support/builders.js';

type Body = Record<string, unknown>;

/** A tool is read with both, says the contract. */
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** What a client does that edits: it reads a resource, changes a field or none, and sends all of it back. */
describe('what was read can be sent back', () => {
  let app: TestApp;
  let owner: TestAccount;
  let own: Record<Kind, number | string>;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
    own = await fillAccount(app, owner, 'mark');
  });
  afterAll(() => app.stop());

  async function read(path: string, pick: (body: Body) => Body = (body) => body): Promise<Body> {
    const { body } = await app.as(owner).get(path).set(JSON_HEADERS).expect(200);
    return pick(body);
  }

  /** From a list, where there is no reading of one. */
  const rowOf = (id: number | string) => (body: Body) => {
    const rows = (Array.isArray(body) ? body : body.data) as Body[];
    return rows.find((row) => row.id === id) ?? {};
  };
  const without = ({ updated_at: _, ...rest }: Body) => rest;

  async function sendBack(read: () => Promise<Body>, path: string, body?: Body): Promise<void> {
    const before = await read();
    expect(Object.keys(before).length).toBeGreaterThan(0);
    const sent = body ?? before;
    const { body: answer, status, headers } = await app.as(owner).put(path).send(sent);
    expect({ status, answer }).toMatchObject({ status: 200 });
    expect(headers['prosa-ignored-fields']).toBeUndefined();
    expect(without(await read())).toEqual(without(before));
  }

  const CASES: [title: string, kind: Kind, pathOf: (id: number | string) => string, list: string | null][] = [
    ['an assistant', 'assistant', (id) => `/api/user/assistant/${id}`, null],
    ['a tool', 'tool', (id) => `/api/user/tools/${id}`, null],
    ['an MCP server', 'mcpServer', (id) => `/api/user/mcp-servers/${id}`, null],
    ['a webhook endpoint', 'webhookEndpoint', (id) => `/api/user/webhook-endpoints/${id}`, null],
    ['a campaign', 'campaign', (id) => `/api/user/campaign/${id}`, null],
    ['a knowledge base', 'knowledgebase', (id) => `/api/user/knowledgebases/${id}`, null],
    ['a SIP trunk', 'sipTrunk', (id) => `/api/user/phone-numbers/sip-trunks/${id}`, null],
    ['a phone number', 'phoneNumber', (id) => `/api/user/phone-numbers/${id}`, '/api/user/phone-numbers/all'],
    ['the routing of a number', 'phoneNumber', (id) => `/api/user/phone-numbers/${id}/routing`, null],
    ['a folder', 'folder', (id) => `/api/user/folder/${id}`, '/api/user/folders'],
  ];

  it.each(CASES)('%s', async (_title, kind, pathOf, list) => {
    const id = own[kind];
    const one = (body: Body) => (body.data ?? body) as Body;
    await sendBack(() => (list ? read(list, rowOf(id)) : read(pathOf(id), one)), pathOf(id));
  });

  it('a document', async () => {
    const path = `/api/user/knowledgebases/${own.knowledgebase}/documents/${own.document}`;
    await sendBack(() => read(path, (body) => body.data as Body), path);
  });

  it('the settings of the account', async () => {
    const settings = () => read('/api/user/settings');
    await sendBack(settings, '/api/user/settings');
  });

  it('the limits of the account', async () => {
    // A number that was sent is the account's own from then on.
    const limits = () => read('/api/user/billing/limits', ({ is_default: _, ...rest }) => rest);
    await sendBack(limits, '/api/user/billing/limits');
  });

  it('a lead, but for what the contract says is assigned automatically', async () => {
    const path = `/api/user/leads/${own.lead}`;
    const { campaign_id, phone_number, variables } = await read(path);
    await sendBack(() => read(path), path, { campaign_id, phone_number, variables });
  });

  it('a campaign whose assistant was deleted', async () => {
    const { id: assistant_id } = await createAssistant(app, owner, { type: 'outbound' });
    const { body } = await app
      .as(owner)
      .post('/api/user/campaign')
      .send({ name: 'Without assistant', assistant_id })
      .expect(201);
    await app.as(owner).delete(`/api/user/assistant/${assistant_id}`).expect(200);
    const path = `/api/user/campaign/${body.data.id}`;
    expect(await read(path)).toMatchObject({ assistant_id: null });
    await sendBack(() => read(path), path);
  });

  it('a webhook endpoint with an event of a plugin that was removed', async () => {
    const events = ['call.ended', 'appointments.booked'];
    await app.query('UPDATE webhook_subscriptions SET events = $2 WHERE id = $1', [
      own.webhookEndpoint,
      events,
    ]);
    const path = `/api/user/webhook-endpoints/${own.webhookEndpoint}`;
    expect(await read(path)).toMatchObject({ events });
    await sendBack(() => read(path), path);
    // Not one that it never had, nor again once it was given up.
    const { body } = await app
      .as(owner)
      .put(path)
      .send({ events: [...events, 'appointments.cancelled'] })
      .expect(422);
    expect(Object.keys(body.errors)).toEqual(['events.2']);
    await app
      .as(owner)
      .put(path)
      .send({ events: ['call.ended'] })
      .expect(200);
    await app.as(owner).put(path).send({ events }).expect(422);
  });

  it('an assistant with all of its fields filled', async () => {
    const tool = await createTool(app, owner, { name: 'second_tool' });
    const other = await createAssistant(app, owner);
    const { id } = await createAssistant(app, owner, {
      tool_ids: [tool],
      knowledgebase_id: own.knowledgebase,
      knowledgebase_mode: 'prompt',
      secondary_language_ids: [2],
      filler_config: { positive: ['Certo'], negative: [], question: [], neutral: [] },
      fillers: true,
      is_webhook_active: true,
      webhook_url: 'https://example.com/hook',
      variables: { nome: 'Ana' },
      tools: [
        { type: 'call_transfer', phone_number: '+5511987654321', description: 'Quando pede uma pessoa' },
        { type: 'end_call', description: 'Quando se despede' },
        { type: 'collect_keypad', timeout: 7, stop_key: '*' },
        {
          type: 'calendar_integration',
          extcal_api_key: 'cal_live_a_long_secret_key',
          extcal_event_slug: 'consulta',
          extcal_booking_fields: [{ slug: 'nome', type: 'text', label: 'Nome', required: true }],
        },
        { type: 'handoff', destinations: [{ assistant_id: other.id, description: 'Compras' }] },
      ],
      post_call_schema: [{ name: 'vendeu', type: 'bool', description: 'Se vendeu' }],
    });
    const path = `/api/user/assistant/${id}`;
    await sendBack(() => read(path), path);
  });

  it('an assistant with what it decides by itself, which stays so', async () => {
    const { id } = await createAssistant(app, owner, {
      voice_id: 1,
      filler_config: { positive: ['Certo'] },
      tools: [
        {
          type: 'warm_call_transfer',
          supervisor_phone: '+5511987654321',
          outbound_phone_id: own.phoneNumber,
          description: 'Quando pede uma pessoa',
          hold_message: 'Um instante.',
        },
      ],
    });
    const path = `/api/user/assistant/${id}`;
    await sendBack(() => read(path), path);
    const before = await read(path);

    // An OpenAI voice in Portuguese, then one of ElevenLabs in English.
    await app
      .as(owner)
      .put(path)
      .send({ ...before, language_id: 2, voice_id: 101 })
      .expect(200);
    const after = await read(path);
    const fresh = await createAssistant(app, owner, { language_id: 2, voice_id: 101 });
    const { synthesizer_provider_id, transcriber_provider_id, filler_config } = await read(
      `/api/user/assistant/${fresh.id}`,
    );
    expect(synthesizer_provider_id).not.toBe(before.synthesizer_provider_id);
    expect(after).toMatchObject({
      synthesizer_provider_id,
      transcriber_provider_id,
      filler_config: { ...(filler_config as Body), positive: ['Certo'] },
      tools: [{ hold_message: 'Um instante.', connected_message: 'You are now connected to a supervisor.' }],
    });

    // What was chosen stays, also where it is what would be chosen by itself.
    await app.as(owner).put(path).send({ voice_id: 1, synthesizer_provider_id: 4 }).expect(200);
    await app
      .as(owner)
      .put(path)
      .send({ ...(await read(path)), voice_id: 101 })
      .expect(200);
    expect(await read(path)).toMatchObject({ synthesizer_provider_id: 4 });
  });

  it('an assistant whose supervisors were called from a number that has been given up', async () => {
    const { body: trunk } = await app
      .as(owner)
      .post('/api/user/phone-numbers/sip-trunks')
      .send(extensionBody(owner.userId + 500))
      .expect(201);
    const outbound = trunk.data.id as number;
    const warm = (overrides: Body = {}) => ({
      type: 'warm_call_transfer',
      supervisor_phone: '+5511987654321',
      outbound_phone_id: outbound,
      description: 'Quando pede uma pessoa',
      ...overrides,
    });
    const { id } = await createAssistant(app, owner, { tools: [warm()] });
    await app.as(owner).delete(`/api/user/phone-numbers/${outbound}`).expect(200);
    const path = `/api/user/assistant/${id}`;
    await sendBack(() => read(path), path);
    // Not one that it never had, nor in another assistant.
    const strange = { tools: [warm(), warm({ outbound_phone_id: outbound + 1_000 })] };
    const { body } = await app.as(owner).put(path).send(strange).expect(422);
    expect(Object.keys(body.errors)).toEqual(['tools.1.outbound_phone_id']);
    const other = await createAssistant(app, owner);
    await app
      .as(owner)
      .put(`/api/user/assistant/${other.id}`)
      .send({ tools: [warm()] })
      .expect(422);
  });

  it('the hours of a campaign, in the form they were read', async () => {
    const path = `/api/user/campaign/${own.campaign}`;
    const set = (from: string, to: string) =>
      app.as(owner).put(path).send({ allowed_hours_start_time: from, allowed_hours_end_time: to });
    await set('09:00:00', '18:30:00').expect(200);
    expect(await read(path)).toMatchObject({
      allowed_hours_start_time: '09:00:00',
      allowed_hours_end_time: '18:30:00',
    });
    await set('09:00', '09:00:00').expect(422);
    await set('09:00:30', '18:30').expect(422);
  });
});
