import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';

const SARAH = 101;
const GEORGE = 102;
const JESSICA = 103;
const AZURE_VOICE = 301;
const ENGLISH = 2;
const WAVE_HEADER_BYTES = 44;

describe('the sample of a voice', () => {
  const eleven = new ElevenLabsFake();
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    await eleven.start();
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      RATE_LIMITS: 'on',
      ELEVEN_API_KEY: 'key-of-the-installation',
      ELEVEN_BASE_URL: eleven.url,
    });
    account = await app.account();
  });
  afterAll(async () => {
    await app.stop();
    await eleven.stop();
  });

  const path = (id: number, query = '') => `/api/user/assistants/voices/${id}/sample${query}`;

  it('is a greeting in the language that was asked for, as sound, and is made once', async () => {
    const ask = () =>
      app
        .as(account)
        .get(path(SARAH, `?language_id=${ENGLISH}`))
        .expect(200);
    const { body, headers } = await ask();
    expect(headers['content-type']).toBe('audio/wav');
    expect(headers['cache-control']).toBe('private, max-age=3600');
    const sound = body as Buffer;
    expect(sound.toString('latin1', 0, 4)).toBe('RIFF');
    expect(sound.readUInt32LE(24)).toBe(24_000);
    expect(sound.readUInt32LE(40)).toBe(sound.length - WAVE_HEADER_BYTES);
    // The vendor's sound, and no silence.
    expect(sound.length).toBeGreaterThan(24_000);
    expect(sound.subarray(WAVE_HEADER_BYTES).some((byte) => byte !== 0)).toBe(true);
    expect(eleven.texts.join(' ')).toBe('Hello! How can I help you today?');

    expect((await ask()).body).toEqual(body);
    expect(eleven.texts.join(' ')).toBe('Hello! How can I help you today?');
  });

  it('is refused, with the reason, where there is no key for the vendor', async () => {
    const { body } = await app.as(account).get(path(AZURE_VOICE)).expect(409);
    expect(body).toEqual({
      message: 'Falta a chave do provedor desta voz. Adicione a chave para ouvir a voz',
    });
  });

  it('is never spoken by another voice when the vendor fails', async () => {
    eleven.failing = 'down';
    const { body, headers } = await app.as(account).get(path(GEORGE)).expect(503);
    eleven.failing = 'never';
    expect(body).toEqual({
      message: 'O provedor desta voz não respondeu. Tente novamente em instantes',
    });
    expect(headers['retry-after']).toBe('30');
  });

  it('is not there for a voice that is not in the catalogue, nor for who has no token', async () => {
    await app.as(account).get(path(99_999)).expect(404, { message: 'Voz não encontrada' });
    await app.as(account).get(path(SARAH, '?language_id=x')).expect(422);
    await app.http.get(path(SARAH)).expect(401);
  });

  it('is spoken twenty times a minute for an account, at most', async () => {
    const other = await app.account();
    for (let asked = 0; asked < 20; asked++) await app.as(other).get(path(99_999)).expect(404);
    const { headers } = await app.as(other).get(path(JESSICA)).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await app.as(account).get(path(99_999)).expect(404);
  });
});

describe('the sample of a voice, in an installation without a voice process', () => {
  it('is refused, and may be asked for again', async () => {
    const app = await TestApp.start({ ELEVEN_API_KEY: 'key' });
    try {
      const account = await app.account();
      const { body } = await app.as(account).get(path(SARAH)).expect(503);
      expect(body).toEqual({
        message: 'Nenhum processo de voz está disponível no momento. Tente novamente em instantes',
      });
    } finally {
      await app.stop();
    }
  });

  const path = (id: number) => `/api/user/assistants/voices/${id}/sample`;
});
