import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { AzureFake } from '../support/speech-fakes/azure-fake.js';

const AZURE_VOICE = 301;
const CARTESIA_VOICE = 201;
const KEY = 'own-key-0123456789-7f3a';

interface Voice {
  readonly id: number;
  readonly name: string;
  readonly available: boolean;
  readonly unavailable_reason: string | null;
}

describe('Voices that can be spoken with the keys at hand', () => {
  const azure = new AzureFake();
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    await azure.start();
    app = await TestApp.start({ CARTESIA_API_KEY: 'k', AZURE_SPEECH_BASE_URL: azure.url });
    account = await app.account();
  });
  afterAll(async () => {
    await app.stop();
    await azure.stop();
  });

  const list = async (query = '', who = account) =>
    (await app.as(who).get(`/api/user/assistants/voices${query}`).expect(200)).body as Voice[];
  const availabilityOf = async (id: number, who = account) => {
    const voice = (await list('', who)).find((one) => one.id === id);
    return [voice?.available, voice?.unavailable_reason];
  };

  it('are those of vendors for which the installation has a key', async () => {
    expect(await availabilityOf(CARTESIA_VOICE)).toEqual([true, null]);
    expect(await availabilityOf(AZURE_VOICE)).toEqual([false, 'no_key']);
    for (const voice of await list()) expect(voice.available).toBe(voice.unavailable_reason === null);
  });

  it('include those for which the account itself has stored a key, at once', async () => {
    const owner = await app.account();
    const path = '/api/user/model-keys/speech/azure';
    await app.as(owner).put(path).send({ api_key: KEY, region: 'brazilsouth' }).expect(200);
    expect(await availabilityOf(AZURE_VOICE, owner)).toEqual([true, null]);
    expect(await availabilityOf(AZURE_VOICE)).toEqual([false, 'no_key']);
    await app.as(owner).delete(path).expect(200);
    expect(await availabilityOf(AZURE_VOICE, owner)).toEqual([false, 'no_key']);
  });

  it('are judged by the mode that is asked for', async () => {
    const owner = await app.account();
    const openai = '/api/user/assistants/voices?mode=';
    const reasons = async (mode: string) => {
      const { body } = await app.as(owner).get(`${openai}${mode}`).expect(200);
      return new Set((body as Voice[]).map(({ unavailable_reason: reason }) => reason));
    };
    // No account has a realtime model without a key.
    expect(await reasons('multimodal')).toEqual(new Set(['no_key']));
    expect(await reasons('pipeline')).toEqual(new Set(['no_key', null]));
  });

  it('are not the only ones that an assistant may have', async () => {
    const { id } = await createAssistant(app, account);
    const { body } = await app
      .as(account)
      .put(`/api/user/assistant/${id}`)
      .send({ voice_id: AZURE_VOICE, synthesizer_provider_id: 2 })
      .expect(200);
    expect(body).toMatchObject({ message: expect.any(String) });
  });
});
