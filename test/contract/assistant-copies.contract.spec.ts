import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createTool } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';

const CALENDAR = {
  type: 'calendar_integration',
  extcal_api_key: 'cal_live_0123456789abcd',
  extcal_event_slug: 'visit',
};

describe('Copies of assistants', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
  });
  afterAll(() => app.stop());

  const read = async (id: number) =>
    (await app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body as Record<string, unknown>;
  const copy = (id: number, name: unknown = 'Cópia') =>
    app.as(owner).post(`/api/user/assistant/${id}/copy`).send({ name });

  async function original(): Promise<number> {
    const { body: label } = await app
      .as(owner)
      .post('/api/user/label')
      .send({ name: `L${Date.now()}` });
    const body = assistantBody({
      type: 'inbound',
      name: 'Balcão',
      tools: [CALENDAR],
      tool_ids: [await createTool(app, owner)],
      label_ids: [label.data.id],
      phone_number_id: await addPhoneNumber(app, owner),
      webhook_url: 'https://example.com/hook',
      is_webhook_active: true,
      variables: { bairro: 'Centro' },
    });
    const { body: made } = await app.as(owner).post('/api/user/assistant').send(body).expect(201);
    await app.as(owner).put(`/api/user/assistant/${made.data.id}`).send({ status: 'active' }).expect(200);
    await app
      .as(owner)
      .post('/api/user/assistants/enable-inbound-webhook')
      .send({ assistant_id: made.data.id, webhook_url: 'https://example.com/inbound' })
      .expect(200);
    return made.data.id;
  }

  it('have settings, tools and labels of the original, another name, and are inactive without a number', async () => {
    const id = await original();
    const { body } = await copy(id).expect(201);
    expect(body).toEqual({
      message: 'Assistente criado com sucesso',
      data: { id: expect.any(Number), name: 'Cópia', status: 'inactive', type: 'inbound', mode: 'pipeline' },
    });
    const [before, made] = [await read(id), await read(body.data.id)];
    const own = ['id', 'uuid', 'created_at', 'updated_at'];
    const differing = Object.keys(before).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(made[name]),
    );
    expect(differing.filter((name) => !own.includes(name)).toSorted()).toEqual(
      expect.arrayContaining(['name', 'phone_number_id', 'status']),
    );
    expect(
      differing.filter(
        (name) => !/^(name|status|phone_number|phone_number_id|assistant_phone.*)$/.test(name),
      ),
    ).toEqual(own.filter((name) => differing.includes(name)));
    expect(made.phone_number_id).toBeNull();
  });

  it('have a key of their own for the calendar, sealed to the copy', async () => {
    const id = await original();
    const { body } = await copy(id).expect(201);
    // It is opened by the copy's own id: a change that sends the mask back keeps the key.
    const { tools } = await read(body.data.id);
    await app.as(owner).put(`/api/user/assistant/${body.data.id}`).send({ tools }).expect(200);
    expect((await read(body.data.id)).tools).toEqual(tools);
    expect(JSON.stringify(tools)).not.toContain(CALENDAR.extcal_api_key);
  });

  it('have the MCP tools of the original', async () => {
    const id = await original();
    const [server] = await app.query<{ id: number }>(
      `INSERT INTO mcp_servers (user_id, name, url, sealed_headers, timeout_seconds)
       VALUES ($1, 'crm', 'https://mcp.example.com/mcp', '', 10) RETURNING id`,
      [owner.userId],
    );
    await app.query(
      `WITH tool AS (
         INSERT INTO mcp_tools (user_id, server_id, name, description, input_schema, definition_hash)
         VALUES ($1, $2, 'find', '', '{}', decode('00', 'hex')) RETURNING id
       ) INSERT INTO assistant_mcp_tools (assistant_id, tool_id) SELECT $3, id FROM tool`,
      [owner.userId, server!.id, id],
    );
    const { body } = await copy(id).expect(201);
    const { body: tools } = await app
      .as(owner)
      .get(`/api/user/assistant/${body.data.id}/mcp-tools`)
      .expect(200);
    expect(tools).toMatchObject([{ name: 'find' }]);
  });

  it('need a name, and an assistant of the account', async () => {
    const id = await original();
    const { body } = await copy(id, '').expect(422);
    expect(Object.keys(body.errors)).toEqual(['name']);
    const stranger = await app.account();
    await app.as(stranger).post(`/api/user/assistant/${id}/copy`).send({ name: 'Minha' }).expect(404);
    expect((await copy(id, 'x'.repeat(256)).expect(422)).body.errors).toHaveProperty('name');
  });
});
