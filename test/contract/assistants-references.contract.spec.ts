import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FoldersService } from '../../src/modules/folders/folders.service.js';
import { KnowledgebasesService } from '../../src/modules/knowledgebases/knowledgebases.service.js';
import { PhoneNumbersService } from '../../src/modules/phone-numbers/phone-numbers.service.js';
import { ToolsService } from '../../src/modules/tools/tools.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { AssistantsApi, CATALOG, MISSING, MULTIMODAL } from '../support/assistants-api.js';
import { createTool } from '../support/builders.js';

let api: AssistantsApi;
let app: TestApp;
let account: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  api = await AssistantsApi.start();
  ({ app, account, stranger } = api);
});
afterAll(() => api.app.stop());

describe('What is deleted while it is being attached', () => {
  it.each<[string, () => void]>([
    ['knowledgebase_id', () => claimToFind(KnowledgebasesService)],
    ['folder_id', () => claimToFind(FoldersService)],
    ['phone_number_id', () => claimToFind(PhoneNumbersService)],
  ])('is answered as missing: %s', async (field, claim) => {
    claim();
    const { body } = await api.create({ [field]: MISSING }).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    const id = await api.created();
    claim();
    await api.update(id, { [field]: MISSING }).expect(422);
    expect(await api.read(id)).toMatchObject({ [field]: null });
  });

  it('is answered as missing: tool_ids', async () => {
    const tool = await createTool(app, await app.account());
    const tools = app.app.get(ToolsService);
    const id = await api.created();
    jest.spyOn(tools, 'namesOf').mockResolvedValueOnce(new Map([[tool, 'get_weather']]));
    const { body } = await api.update(id, { tool_ids: [tool], name: 'Outro' }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['tool_ids']);
    expect(await api.read(id)).toMatchObject({ tool_ids: [], name: 'Recepção' });
  });
});

/** Once, the service finds what is not there any more when it is written. */
function claimToFind(
  service: typeof KnowledgebasesService | typeof FoldersService | typeof PhoneNumbersService,
): void {
  const instance = app.app.get<{ find: () => Promise<unknown> }>(service);
  jest.spyOn(instance, 'find').mockResolvedValueOnce({ id: MISSING, type: 'normal' });
}

describe('phone_number_id', () => {
  // spec: create-assistant.inbound-number-must
  it('is refused for inbound when the number is of the Caller ID type, and accepted for outbound', async () => {
    const callerId = await api.number(account, 'caller_id');
    const { body } = await api.create({ phone_number_id: callerId }).expect(422);
    expect(body.errors).toEqual({
      phone_number_id: ['Um número do tipo Caller ID não pode receber chamadas.'],
    });
    await api.create({ type: 'outbound', phone_number_id: callerId }).expect(201);
  });

  // spec: create-assistant.inbound-number-must-not
  it('is refused when another inbound assistant has the number, and accepted for outbound ones', async () => {
    const phone = await api.number();
    const first = await api.created({ phone_number_id: phone });
    const { body } = await api.create({ phone_number_id: phone }).expect(422);
    expect(body.errors).toEqual({
      phone_number_id: ['Este número já está atribuído a outro assistente de entrada.'],
    });
    const outbound = await api.created({ type: 'outbound', phone_number_id: phone });
    await api.create({ type: 'outbound', phone_number_id: phone }).expect(201);
    await api.update(first, { phone_number_id: phone, name: 'Outra' }).expect(200);
    const turned = await api.update(outbound, { type: 'inbound' }).expect(422);
    expect(Object.keys(turned.body.errors)).toEqual(['phone_number_id']);
    await api.update(first, { phone_number_id: null }).expect(200);
    await api.update(outbound, { type: 'inbound' }).expect(200);
  });

  // spec: create-assistant.inbound-number-must-not
  it('goes to exactly one of 50 simultaneous inbound assistants', async () => {
    const phone = await api.number();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.create({ phone_number_id: phone })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status === 422);
    expect(losers).toHaveLength(49);
    expect(losers.map(({ body }) => Object.keys(body.errors))).toEqual(losers.map(() => ['phone_number_id']));
    const holders = (await api.list('')).filter(({ phone_number_id: id }) => id === phone);
    expect(holders).toHaveLength(1);
  });

  it('goes to exactly one of 20 simultaneous updates, and leaves the others as they were', async () => {
    const phone = await api.number();
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.created()));
    const answers = await Promise.all(ids.map((id) => api.update(id, { phone_number_id: phone })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 422),
    ]);
  });

  it('becomes null when the number is deleted', async () => {
    const phone = await api.number();
    const id = await api.created({ phone_number_id: phone });
    await api.remove('phone_numbers', phone);
    expect(await api.read(id)).toMatchObject({ phone_number_id: null });
  });
});

describe('knowledge base', () => {
  it('is used by function_call unless prompt is asked for', async () => {
    const base = await api.knowledgebase();
    expect(await api.read(await api.created({ knowledgebase_id: base }))).toMatchObject({
      knowledgebase_mode: 'function_call',
    });
    expect(await api.read(await api.created({ ...MULTIMODAL, knowledgebase_id: base }))).toMatchObject({
      knowledgebase_mode: 'function_call',
    });
  });

  // spec: delete-knowledge-base.every-assistant-used
  it('leaves the assistant working without reference or mode when it is deleted', async () => {
    const base = await api.knowledgebase();
    const id = await api.created({ knowledgebase_id: base, knowledgebase_mode: 'prompt' });
    await api.remove('knowledgebases', base);
    expect(await api.read(id)).toMatchObject({
      knowledgebase_id: null,
      knowledgebase_mode: null,
      name: 'Recepção',
    });
    await api.update(id, { name: 'Outro' }).expect(200);
  });
});

describe('Assistant reference data', () => {
  // spec: language-and-folder.language-id-name, update-assistant.get-user-assistants
  it('lists the languages as a bare array of id, name and iso_2', async () => {
    const languages = await api.list('/languages');
    expect(languages.length).toBeGreaterThanOrEqual(35);
    expect(languages.slice(0, 2)).toEqual([
      { id: 1, name: 'Portuguese', iso_2: 'pt' },
      { id: 2, name: 'English', iso_2: 'en' },
    ]);
  });

  // spec: update-assistant.operations-list-voices
  it('lists the voices of a mode and a language, each of them accepted for an assistant', async () => {
    const voices = await api.list(`/voices?mode=multimodal&language_id=${CATALOG.english}`);
    expect(voices[0]).toEqual({
      id: CATALOG.openaiVoice,
      name: 'Marin',
      language_id: CATALOG.english,
      gender: 'female',
      preview_url: null,
      accent: null,
      age: null,
      synthesizer_provider_id: CATALOG.openaiSynthesizer,
      available: false,
      unavailable_reason: 'no_key',
    });
    for (const { id } of voices)
      await api.create({ ...MULTIMODAL, language_id: CATALOG.english, voice_id: id }).expect(201);
    const all = await api.list('/voices');
    expect(all.length).toBeGreaterThan(voices.length);
    expect(all.find(({ id }) => id === CATALOG.openaiVoice)).toMatchObject({ language_id: null });
  });

  it('lists no voice for an unknown language, and refuses an unknown mode', async () => {
    expect(await api.list(`/voices?language_id=${MISSING}`)).toEqual([]);
    const { body } = await app.as(account).get('/api/user/assistants/voices?mode=simplex').expect(422);
    expect(Object.keys(body.errors)).toEqual(['mode']);
  });

  // spec: update-assistant.operations-list-voices
  it('lists the models of a type, llm by default; the others with their code', async () => {
    const llms = await api.list('/models');
    expect(llms).toEqual(await api.list('/models?type=llm'));
    expect(Object.keys(llms[0]!).sort()).toEqual(['id', 'name']);
    for (const type of ['multimodal', 'dualplex']) {
      const models = await api.list(`/models?type=${type}`);
      expect(models.map(({ id }) => id)).toEqual([CATALOG.realtime, CATALOG.otherRealtime]);
      expect(Object.keys(models[0]!).sort()).toEqual(['code', 'id', 'name']);
    }
    await app.as(account).get('/api/user/assistants/models?type=stt').expect(422);
  });

  // spec: update-assistant.operations-list-voices
  it.each(['synthesizer-providers', 'transcriber-providers'])(
    'lists the %s, by language where asked',
    async (path) => {
      const all = await api.list(`/${path}`);
      const forIcelandic = await api.list(`/${path}?language_id=${CATALOG.icelandic}`);
      expect(Object.keys(all[0]!).sort()).toEqual(['code', 'id', 'name']);
      expect(all.map(({ id }) => id)).toContain(1);
      expect(forIcelandic.map(({ id }) => id)).not.toContain(1);
      expect(await api.list(`/${path}?language_id=${MISSING}`)).toEqual([]);
      await app.as(account).get(`/api/user/assistants/${path}?language_id=x`).expect(422);
    },
  );

  it.each([
    'languages',
    'voices',
    'models',
    'phone-numbers',
    'synthesizer-providers',
    'transcriber-providers',
    'get',
    'outbound',
    '',
  ])('/user/assistants/%s needs a token', async (path) => {
    const { body } = await app.http.get(`/api/user/assistants/${path}`).expect(401);
    expect(body).toEqual({ message: expect.any(String) });
  });

  // spec: update-assistant.operations-list-voices
  it('lists the numbers for inbound without Caller IDs and taken ones, and all of them for outbound', async () => {
    const owner = await app.account();
    const [free, taken, callerId] = [
      await api.number(owner),
      await api.number(owner, 'sip'),
      await api.number(owner, 'caller_id'),
    ];
    await api.number(stranger);
    await api.created({ phone_number_id: taken }, owner);
    const item = (id: number, label: string, isAvailable: boolean) => ({
      id,
      phone_number: expect.stringMatching(/^\+55119\d{8}$/),
      country_code: 'BR',
      type_label: label,
      is_available: isAvailable,
    });
    expect(await api.list('/phone-numbers?type=inbound', owner)).toEqual([
      item(free, 'Número dedicado', true),
    ]);
    expect(await api.list('/phone-numbers?type=outbound', owner)).toEqual([
      item(free, 'Número dedicado', true),
      item(taken, 'Tronco SIP', true),
      item(callerId, 'Caller ID', true),
    ]);
    expect(await api.list('/phone-numbers', owner)).toEqual([
      item(free, 'Número dedicado', true),
      item(taken, 'Tronco SIP', false),
      item(callerId, 'Caller ID', false),
    ]);
    await app.as(owner).get('/api/user/assistants/phone-numbers?type=x').expect(422);
  });
});
