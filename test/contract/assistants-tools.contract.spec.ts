import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { AssistantSnapshotsService } from '../../src/modules/assistants/assistant-snapshots.service.js';
import { AssistantsService } from '../../src/modules/assistants/assistants.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import {
  AssistantsApi,
  type Body,
  calendar,
  callTransfer,
  CATALOG,
  MISSING,
  warmTransfer,
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

describe('Built-in tools', () => {
  // spec: built-in-tools.call_transfer-description-custom
  // spec: built-in-tools.call_transfer-warm_transfer-boolean, built-in-tools.custom_sip
  // spec: built-in-tools.caller_id_mode, built-in-tools.hold_music, built-in-tools.hold_music_volume
  // spec: built-in-tools.hold_message, built-in-tools.summary_instructions
  // spec: built-in-tools.briefing_initial_message, built-in-tools.connected_message
  // spec: built-in-tools.collect_keypad, built-in-tools.extcal_endpoint
  it('have their defaults, those that are spoken in the assistant’s language', async () => {
    const phone = await api.number();
    const id = await api.created({
      tools: [
        callTransfer(),
        warmTransfer(phone),
        { type: 'end_call' },
        { type: 'dtmf_input' },
        { type: 'collect_keypad' },
        calendar({ extcal_booking_fields: [{ slug: 'email', type: 'email', label: 'E-mail' }] }),
      ],
    });
    const { tools } = await api.read(id);
    expect(tools).toEqual([
      {
        ...callTransfer(),
        description: null,
        custom: false,
        timezone: null,
        warm_transfer: false,
        warm_transfer_message: null,
      },
      {
        ...warmTransfer(phone),
        custom_sip: false,
        caller_id_mode: 'outbound_number',
        custom_caller_id: null,
        hold_music: 'hold_music',
        hold_music_volume: 80,
        hold_message: 'Um momento, por favor. Vou transferir você para um supervisor.',
        summary_instructions: expect.stringContaining('2 a 3 frases'),
        briefing_initial_message: expect.stringContaining('resumo'),
        connected_message: 'Você está agora em contato com um supervisor.',
      },
      { type: 'end_call', description: null },
      { type: 'dtmf_input', description: null },
      { type: 'collect_keypad', timeout: 5, stop_key: '#' },
      {
        ...calendar({ extcal_api_key: '••••abcd' }),
        extcal_team_slug: null,
        extcal_endpoint: 'us',
        extcal_custom_endpoint: null,
        extcal_booking_fields: [
          { slug: 'email', type: 'email', label: 'E-mail', required: false, options: [] },
        ],
        description: null,
      },
    ]);
    await api.update(id, { language_id: CATALOG.english }).expect(200);
    expect((await api.read(id)).tools[1].connected_message).toBe('You are now connected to a supervisor.');
  });

  const refusedTransfers: [string, string, Body][] = [
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['supervisor_phone is there', 'supervisor_phone', { supervisor_phone: undefined }],
    ['supervisor_phone is a number', 'supervisor_phone', { supervisor_phone: 'sip:boss@example.com' }],
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    [
      'supervisor_phone is a SIP address or extension with custom_sip',
      'supervisor_phone',
      { custom_sip: true, supervisor_phone: 'two words' },
    ],
    [
      'supervisor_phone leads to no private address',
      'supervisor_phone',
      { custom_sip: true, supervisor_phone: 'sip:boss@10.1.2.3:5060' },
    ],
    // spec: built-in-tools.outbound_phone_id
    ['outbound_phone_id is there', 'outbound_phone_id', { outbound_phone_id: undefined }],
    // spec: built-in-tools.outbound_phone_id
    ['outbound_phone_id exists', 'outbound_phone_id', { outbound_phone_id: MISSING }],
    // spec: built-in-tools.description
    ['description is there', 'description', { description: undefined }],
    // spec: built-in-tools.caller_id_mode
    ['caller_id_mode is one of three', 'caller_id_mode', { caller_id_mode: 'hidden' }],
    // spec: built-in-tools.custom_caller_id
    [
      'custom_caller_id is there when caller_id_mode is custom',
      'custom_caller_id',
      { caller_id_mode: 'custom' },
    ],
    // spec: built-in-tools.hold_music
    ['hold_music is hold_music or none', 'hold_music', { hold_music: 'jazz' }],
    // spec: built-in-tools.hold_music_volume
    ['hold_music_volume is at least 0', 'hold_music_volume', { hold_music_volume: -1 }],
    // spec: built-in-tools.hold_music_volume
    ['hold_music_volume is at most 100', 'hold_music_volume', { hold_music_volume: 101 }],
    // spec: built-in-tools.custom_sip
    ['custom_sip is a boolean', 'custom_sip', { custom_sip: 'x' }],
    // spec: built-in-tools.hold_message
    ['hold_message is a string', 'hold_message', { hold_message: 1 }],
  ];
  it.each(refusedTransfers)('warm_call_transfer is refused unless %s', async (_rule, field, overrides) => {
    const tools = [{ type: 'end_call' }, warmTransfer(await api.number(), overrides)];
    const { body } = await api.create({ tools }).expect(422);
    expect(Object.keys(body.errors)).toEqual([`tools.1.${field}`]);
  });

  it.each<[string, Body]>([
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['an extension with custom_sip', { custom_sip: true, supervisor_phone: '2001' }],
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['a SIP address with custom_sip', { custom_sip: true, supervisor_phone: 'sip:boss@pbx.example.com' }],
    // spec: built-in-tools.caller_id_mode
    ['caller_id_mode customer_number', { caller_id_mode: 'customer_number' }],
    // spec: built-in-tools.custom_caller_id
    [
      'caller_id_mode custom with its number',
      { caller_id_mode: 'custom', custom_caller_id: '+551140028922' },
    ],
    ['no hold music, volume 0', { hold_music: 'none', hold_music_volume: 0 }],
    [
      'volume 100 and own words',
      {
        hold_music_volume: 100,
        hold_message: 'a',
        summary_instructions: 'b',
        briefing_initial_message: 'c',
        connected_message: 'd',
      },
    ],
  ])('warm_call_transfer takes %s', async (_rule, overrides) => {
    const tool = warmTransfer(await api.number(), overrides);
    expect((await api.read(await api.created({ tools: [tool] }))).tools[0]).toMatchObject(tool);
  });

  describe('numbers of transfers', () => {
    const takenTools = async (id: number) => {
      const runtime = await app.app.get(AssistantsService).findRuntime(account.userId, id);
      return (await app.app.get(AssistantSnapshotsService).take(runtime!)).builtinTools;
    };
    const store = (id: number, tools: Body[]) =>
      app.query("UPDATE assistants SET config = jsonb_set(config, '{tools}', $2) WHERE id = $1", [
        id,
        JSON.stringify(tools),
      ]);

    it('without a country code are numbers of the account’s country, and are kept in E.164', async () => {
      const german = await app.account();
      await app
        .as(german)
        .put('/api/user/settings')
        .send({ country: 'DE', timezone: 'Europe/Berlin' })
        .expect(200);
      const written = { custom_caller_id: '030 901820', caller_id_mode: 'custom' };
      const tools = [
        callTransfer({ phone_number: '(030) 90182-0' }),
        warmTransfer(await api.number(german), { supervisor_phone: '+55 (11) 98765-4321', ...written }),
      ];
      const { tools: kept } = await api.read(await api.created({ tools }, german), german);
      expect(kept[0]).toMatchObject({ phone_number: '+4930901820' });
      expect(kept[1]).toMatchObject({ supervisor_phone: '+5511987654321', custom_caller_id: '+4930901820' });

      const id = await api.created({ tools: [callTransfer({ phone_number: '(11) 98765-4321' })] });
      expect((await api.read(id)).tools[0].phone_number).toBe('+5511987654321');
    });

    it.each(['987654321', '190', '2001'])(
      'stay as they are written where they are none: %s',
      async (target) => {
        const warm = warmTransfer(await api.number(), { supervisor_phone: target });
        const id = await api.created({ tools: [callTransfer({ phone_number: target }), warm] });
        expect((await api.read(id)).tools).toMatchObject([
          { phone_number: target },
          { supervisor_phone: target },
        ]);
      },
    );

    it('that were stored as they were written are dialled in E.164, and kept so once they are sent back', async () => {
      const id = await api.created();
      await store(id, [
        callTransfer({ phone_number: '2001' }),
        callTransfer({ phone_number: '11 98765-4321' }),
      ]);
      expect(await takenTools(id)).toMatchObject([
        { phone_number: '2001' },
        { phone_number: '+5511987654321' },
      ]);
      const { tools } = await api.read(id);
      await api.update(id, { tools }).expect(200);
      expect((await api.read(id)).tools).toMatchObject([
        { phone_number: '2001' },
        { phone_number: '+5511987654321' },
      ]);
    });
  });

  // spec: built-in-tools.extcal_team_slug, built-in-tools.extcal_booking_fields-slug-type
  // spec: built-in-tools.description-when-offer
  it('calendar_integration takes an endpoint of one’s own, a team and booking fields of all kinds', async () => {
    const tool = calendar({
      extcal_endpoint: 'custom',
      extcal_custom_endpoint: 'https://cal.example.com/api',
      extcal_team_slug: 'sales',
      extcal_booking_fields: [
        { slug: 'size', type: 'select', label: 'Tamanho', required: true, options: ['P', 'M'] },
      ],
      description: 'Quando pedirem uma visita',
    });
    expect((await api.read(await api.created({ tools: [tool] }))).tools).toEqual([
      { ...tool, extcal_api_key: '••••abcd' },
    ]);
  });

  describe('extcal_api_key', () => {
    const runtimeKeys = async (id: number) => {
      const runtime = await app.app.get(AssistantsService).findRuntime(account.userId, id);
      return runtime!.config.tools.map((tool) => tool.type === 'calendar_integration' && tool.extcal_api_key);
    };

    it('is unreadable in the database and masked when read, and open for the runtime alone', async () => {
      const id = await api.created({ tools: [calendar()] });
      const rows = await app.app.get(Database).query('SELECT * FROM assistants WHERE id = $1', [id]);
      expect(JSON.stringify(rows)).not.toContain('cal_live');
      expect(JSON.stringify(await api.read(id))).not.toContain('cal_live');
      expect(await runtimeKeys(id)).toEqual(['cal_live_0123456789abcd']);
    });

    it('stays as it is when its masked form is sent back, wherever in the list', async () => {
      const id = await api.created({
        tools: [
          calendar(),
          calendar({ extcal_api_key: 'cal_live_second_key_wxyz', extcal_event_slug: 'call' }),
        ],
      });
      const { tools } = await api.read(id);
      await api.update(id, { tools: [{ type: 'end_call' }, tools[1], tools[0]] }).expect(200);
      expect(await runtimeKeys(id)).toEqual([false, 'cal_live_second_key_wxyz', 'cal_live_0123456789abcd']);
    });

    it('is not sent to another endpoint by an update that does not know it', async () => {
      const id = await api.created({ tools: [calendar()] });
      const [tool] = (await api.read(id)).tools;
      const stolen = {
        ...tool,
        extcal_endpoint: 'custom',
        extcal_custom_endpoint: 'https://evil.example.com',
      };
      const { body } = await api.update(id, { tools: [stolen] }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['tools.0.extcal_api_key']);
      expect(await runtimeKeys(id)).toEqual(['cal_live_0123456789abcd']);
    });

    it('is forgotten with its tool', async () => {
      const id = await api.created({ tools: [calendar()] });
      await api.update(id, { tools: [] }).expect(200);
      const [row] = await app.app
        .get(Database)
        .query<Body>('SELECT sealed_calendar_keys FROM assistants WHERE id = $1', [id]);
      expect(row).toEqual({ sealed_calendar_keys: null });
    });
  });
});

describe('Tools of one name on an assistant', () => {
  let owner: TestAccount;
  beforeEach(async () => {
    owner = await app.account();
  });

  const toolsNamed = (...names: string[]) =>
    Promise.all(names.map((name) => createTool(app, owner, { name })));
  const rename = (id: number | undefined, name: string) =>
    app.as(owner).put(`/api/user/tools/${id}`).send({ name });

  it('are refused when it is created and when it is updated', async () => {
    const ids = await toolsNamed('find_order', 'find_order');
    const refusal = {
      message: 'O campo tool_ids tem duas ferramentas com o nome find_order.',
      errors: { tool_ids: ['O campo tool_ids tem duas ferramentas com o nome find_order.'] },
    };
    expect((await api.create({ tool_ids: ids }, owner).expect(422)).body).toEqual(refusal);
    const id = await api.created({ tool_ids: ids.slice(0, 1) }, owner);
    expect((await api.update(id, { tool_ids: ids }, owner).expect(422)).body).toEqual(refusal);
    expect(await api.read(id, owner)).toMatchObject({ tool_ids: ids.slice(0, 1) });
  });

  it.each(['end_call', 'transfer_call', 'search_knowledge_base', 'find_free_times_consulta'])(
    'are refused when the other one is built in: %s',
    async (name) => {
      const { body } = await api.create({ tool_ids: await toolsNamed(name) }, owner).expect(422);
      expect(body.errors).toEqual({ tool_ids: [expect.stringContaining('ferramenta interna')] });
    },
  );

  it('do not come about by a new name either', async () => {
    const [first, second, apart] = await toolsNamed('first_order', 'second_order', 'third_order');
    await api.created({ tool_ids: [first, second] }, owner);
    expect((await rename(second, 'first_order').expect(422)).body.errors).toEqual({
      name: [expect.stringContaining('já tem outra com este nome')],
    });
    expect((await rename(second, 'end_call').expect(422)).body.errors).toEqual({
      name: [expect.stringContaining('ferramenta interna')],
    });
    await rename(second, 'second_order').expect(200);
    await rename(apart, 'first_order').expect(200);
    await rename(apart, 'end_call').expect(200);
  });

  it('do not come about by two new names at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      owner = await app.account();
      const ids = await toolsNamed('left_order', 'right_order');
      await api.created({ tool_ids: ids }, owner);
      const answers = await Promise.all(ids.map((id) => rename(id, 'one_order')));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422]);
    }
  });
});
