import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';

const LIST = '/api/user/model-keys/speech';
const DEEPGRAM = `${LIST}/deepgram`;
const OPENAI = `${LIST}/openai`;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const KEY = 'own-key-0123456789-7f3a';
const OTHER_KEY = 'own-key-9876543210-b1c2';

describe("an account's own keys for speech", () => {
  const deepgram = new DeepgramFake();
  const openai = new OpenAiFake();
  let others: LocalServer;
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    await Promise.all([deepgram.start(), openai.start()]);
    others = await LocalServer.start((request, response) =>
      answerJson(response, {}, JSON.stringify(request.headers).includes(KEY) ? 200 : 401),
    );
    app = await TestApp.start({
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      DEEPGRAM_BASE_URL: deepgram.url,
      ELEVEN_BASE_URL: others.url,
      GOOGLE_BASE_URL: others.url,
      XAI_BASE_URL: others.url,
      AZURE_SPEECH_BASE_URL: others.url,
      CARTESIA_BASE_URL: others.url,
    });
  });
  beforeEach(async () => {
    account = await app.account();
  });
  afterEach(() => {
    for (const fake of [deepgram, openai]) fake.keys = new Set([KEY]);
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([deepgram.stop(), openai.stop(), others.stop()]);
  });

  const put = (path: string, body: object, who = account) => app.as(who).put(path).send(body);
  const store = (path = DEEPGRAM) => put(path, { api_key: KEY }).expect(200);
  const read = async (path = DEEPGRAM, who = account) => (await app.as(who).get(path).expect(200)).body.data;
  const test = async (path = DEEPGRAM) => (await app.as(account).post(`${path}/test`).expect(200)).body;

  it.each([
    ['get', LIST],
    ['get', DEEPGRAM],
    ['put', DEEPGRAM],
    ['delete', DEEPGRAM],
    ['post', `${DEEPGRAM}/test`],
  ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
    const { body } = await app.http[method](path).expect(401);
    expect(body).toEqual({ message: 'Não autorizado' });
  });

  it.each(['deepgram', 'elevenlabs', 'google', 'xai', 'cartesia'])(
    'are stored, read masked, listed, tested, and removed: %s',
    async (provider) => {
      const path = `${LIST}/${provider}`;
      await app.as(account).get(path).expect(200, { data: null });
      const { body, text } = await store(path);
      const data = {
        provider,
        api_key: '••••7f3a',
        base_url: null,
        region: null,
        speech_to_text_model: null,
        text_to_speech_model: null,
        status: 'active',
        refused_at: null,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      };
      expect(body).toEqual({ message: 'Chave salva com sucesso', data });
      expect(await read(path)).toEqual(body.data);
      const { body: listed, text: list } = await app.as(account).get(LIST).expect(200);
      expect(listed).toEqual({ data: [body.data] });
      expect(text + list).not.toContain(KEY);
      expect(await test(path)).toEqual({ message: 'Chave verificada', data: { result: 'ok' } });

      await app.as(account).delete(path).expect(200, { message: 'Chave removida com sucesso' });
      await app.as(account).get(LIST).expect(200, { data: [] });
      await app.as(account).delete(path).expect(404, { message: 'Nenhuma chave foi cadastrada' });
      await app.as(account).post(`${path}/test`).expect(404);
    },
  );

  it('are independent of one another and of the key for chat', async () => {
    await store();
    await store(`${LIST}/xai`);
    await put('/api/user/model-keys/chat', { base_url: `${openai.url}/v1`, api_key: KEY }).expect(200);
    const providers = async () =>
      (await app.as(account).get(LIST).expect(200)).body.data.map(
        ({ provider }: { provider: string }) => provider,
      );
    expect(await providers()).toEqual(['deepgram', 'xai']);
    await app.as(account).delete(DEEPGRAM).expect(200);
    expect(await providers()).toEqual(['xai']);
    const { body } = await app.as(account).get('/api/user/model-keys/chat').expect(200);
    expect(body.data).toMatchObject({ api_key: '••••7f3a', status: 'active' });
    expect(body.data).not.toHaveProperty('provider');
  });

  it('need a region at azure, whose keys are valid in no other, and have one nowhere else', async () => {
    const path = `${LIST}/azure`;
    const { body: missing } = await put(path, { api_key: KEY }).expect(422);
    expect(missing.errors).toEqual({ region: ['O campo region é obrigatório.'] });
    for (const region of ['brazil south', 'evil.example/', 'a', '']) {
      expect((await put(path, { api_key: KEY, region }).expect(422)).body.errors).toHaveProperty('region');
    }
    const { body } = await put(path, { api_key: KEY, region: 'brazilsouth' }).expect(200);
    expect(body.data).toMatchObject({ provider: 'azure', region: 'brazilsouth', base_url: null });
    // Another region, with the stored key.
    const moved = await put(path, { region: 'eastus2' }).expect(200);
    expect(moved.body.data).toMatchObject({ region: 'eastus2', api_key: '••••7f3a' });
    expect(await test(path)).toEqual({ message: 'Chave verificada', data: { result: 'ok' } });
    const { body: other } = await put(`${LIST}/cartesia`, { api_key: KEY, region: 'eastus' }).expect(422);
    expect(other.errors).toEqual({ region: ['O campo region só pode ser usado com o fornecedor azure.'] });
  });

  it.each(['gladia', 'chat', 'sandbox', '__proto__', 'DEEPGRAM'])(
    'are for known providers alone: %s is answered with 404',
    async (provider) => {
      const path = `${LIST}/${provider}`;
      const unknown = { message: 'Este fornecedor de voz não existe' };
      await app.as(account).get(path).expect(404, unknown);
      await put(path, { api_key: KEY }).expect(404, unknown);
      await app.as(account).delete(path).expect(404, unknown);
      await app.as(account).post(`${path}/test`).expect(404, unknown);
    },
  );

  it.each([
    [DEEPGRAM, 'api_key', {}],
    [DEEPGRAM, 'api_key', { api_key: '••••7f3a' }],
    [DEEPGRAM, 'api_key', { api_key: 'two\r\nlines' }],
    [DEEPGRAM, 'api_key', { api_key: 'x'.repeat(513) }],
    [DEEPGRAM, 'base_url', { api_key: KEY, base_url: 'https://speech.example.com/v1' }],
    [DEEPGRAM, 'speech_to_text_model', { api_key: KEY, speech_to_text_model: 'whisper-1' }],
    [DEEPGRAM, 'text_to_speech_model', { api_key: KEY, text_to_speech_model: 'kokoro' }],
    [OPENAI, 'base_url', { api_key: KEY, base_url: 'ftp://speech.example.com/v1' }],
    [OPENAI, 'base_url', { api_key: KEY, base_url: 'https://speech.example.com/v1?version=1' }],
    [OPENAI, 'speech_to_text_model', { api_key: KEY, speech_to_text_model: '' }],
    [OPENAI, 'text_to_speech_model', { api_key: KEY, text_to_speech_model: 'x'.repeat(201) }],
  ])('are refused without a request to the provider: %s for its %s, %j', async (path, field, body) => {
    const asked = [deepgram.keysAsked.length, openai.keysAsked.length];
    expect(Object.keys((await put(path, body).expect(422)).body.errors)).toEqual([field]);
    expect([deepgram.keysAsked.length, openai.keysAsked.length]).toEqual(asked);
    await app.as(account).get(LIST).expect(200, { data: [] });
  });

  it('are shown to the provider first, and not stored where it refuses them; the one before stays', async () => {
    const refused = { api_key: ['O fornecedor recusou esta chave.'] };
    expect((await put(DEEPGRAM, { api_key: OTHER_KEY }).expect(422)).body.errors).toEqual(refused);
    await app.as(account).get(DEEPGRAM).expect(200, { data: null });
    await store();
    const before = await read();
    expect((await put(DEEPGRAM, { api_key: OTHER_KEY }).expect(422)).body.errors).toEqual(refused);
    expect(await read()).toEqual(before);
  });

  describe('for a server of the OpenAI kind', () => {
    const own = (more: object = {}) => ({ base_url: `${openai.url}/v1`, api_key: KEY, ...more });
    const refusal = async (body: object) => (await put(OPENAI, body).expect(422)).body.errors;

    it('are stored with its address and its names of models, and sent back as they were read', async () => {
      await put(
        OPENAI,
        own({ speech_to_text_model: 'whisper-small', text_to_speech_model: 'kokoro' }),
      ).expect(200);
      const before = await read(OPENAI);
      expect(before).toMatchObject({
        base_url: `${openai.url}/v1`,
        speech_to_text_model: 'whisper-small',
        text_to_speech_model: 'kokoro',
      });
      const { base_url, api_key, speech_to_text_model, text_to_speech_model } = before;
      await put(OPENAI, { base_url, api_key, speech_to_text_model, text_to_speech_model }).expect(200);
      await put(OPENAI, {}).expect(200);
      expect(await read(OPENAI)).toEqual({ ...before, updated_at: expect.stringMatching(ISO) });
      await put(OPENAI, { speech_to_text_model: null }).expect(200);
      expect(await read(OPENAI)).toMatchObject({
        speech_to_text_model: null,
        text_to_speech_model: 'kokoro',
      });
    });

    it('go to no other server than they were given for', async () => {
      await put(OPENAI, own()).expect(200);
      const { url } = others;
      const asked = others.requests.length;
      for (const base_url of [`${url}/v1`, null]) {
        expect(await refusal({ base_url })).toEqual({ api_key: [expect.stringContaining('novo servidor')] });
      }
      expect(others.requests.length).toBe(asked);
    });

    it('are refused where its address is within the network, or it is no such server', async () => {
      for (const base_url of ['http://10.0.0.9/v1', 'http://169.254.169.254/v1', 'http://127.0.0.2:9/v1'])
        expect(await refusal(own({ base_url }))).toEqual({
          base_url: [expect.stringContaining('local, privado ou reservado')],
        });
      expect(await refusal(own({ base_url: `${others.url}/v1` }))).toEqual({
        base_url: [expect.stringContaining('não lista modelos')],
      });
      expect(await refusal(own({ base_url: 'http://127.0.0.1:1/v1' }))).toEqual({
        base_url: [expect.stringContaining('não respondeu')],
      });
      expect(await refusal(own({ api_key: OTHER_KEY }))).toEqual({
        api_key: ['O servidor do modelo recusou esta chave.'],
      });
    });
  });

  it('are tested, and shown as refused until the provider takes them again', async () => {
    await store();
    deepgram.keys = new Set();
    expect((await test()).data).toEqual({ result: 'refused' });
    expect(await read()).toMatchObject({ status: 'refused', refused_at: expect.stringMatching(ISO) });
    deepgram.keys = new Set([KEY]);
    expect((await test()).data).toEqual({ result: 'ok' });
    expect(await read()).toMatchObject({ status: 'active', refused_at: null });
  });

  it('that this installation cannot decrypt are shown as unreadable, and can be replaced', async () => {
    await store();
    // As after a restore without the encryption key.
    await app.query(
      "UPDATE model_keys SET sealed_api_key = overlay(sealed_api_key PLACING 'AAAAAAAA' FROM 4) WHERE user_id = $1",
      [account.userId],
    );
    expect(await read()).toMatchObject({ api_key: '••••', status: 'unreadable' });
    expect((await test()).data).toEqual({ result: 'unreadable' });
    expect(Object.keys((await put(DEEPGRAM, {}).expect(422)).body.errors)).toEqual(['api_key']);
    await store();
    expect((await read()).status).toBe('active');
  });

  it('are for owners: no key of another scope reads, stores, tests or removes them', async () => {
    await store();
    const key = async (scopes: readonly string[]) =>
      (await app.as(account).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201)).body.api_key;
    const as = app.as(await key(['read', 'chat', 'calls', 'campaigns']));
    await as.get(LIST).expect(403);
    await as.get(DEEPGRAM).expect(403);
    await as.put(DEEPGRAM).send({ api_key: KEY }).expect(403);
    await as.post(`${DEEPGRAM}/test`).expect(403);
    await as.delete(DEEPGRAM).expect(403);
    await app
      .as(await key(['admin']))
      .get(LIST)
      .expect(200);
  });

  it('are of one account alone', async () => {
    await store();
    const other = await app.account();
    await app.as(other).get(LIST).expect(200, { data: [] });
    await app.as(other).get(DEEPGRAM).expect(200, { data: null });
    await app.as(other).post(`${DEEPGRAM}/test`).expect(404);
    await app.as(other).delete(DEEPGRAM).expect(404);
    await put(DEEPGRAM, { api_key: '••••7f3a' }, other).expect(422);
    deepgram.keys = new Set([OTHER_KEY]);
    await put(DEEPGRAM, { api_key: OTHER_KEY }, other).expect(200);
    expect((await read()).api_key).toBe('••••7f3a');
    expect((await read(DEEPGRAM, other)).api_key).toBe('••••b1c2');
  });

  it('are written into the audit log without what they are', async () => {
    await store();
    await app.as(account).post(`${DEEPGRAM}/test`).expect(200);
    await app.as(account).delete(DEEPGRAM).expect(200);
    const { text, body } = await app.as(account).get('/api/user/audit-log').expect(200);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['putSpeechModelKey', 'testSpeechModelKey', 'deleteSpeechModelKey']),
    );
    expect(text).not.toContain(KEY);
  });
});
