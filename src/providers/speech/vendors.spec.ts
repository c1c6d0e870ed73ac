import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { configFrom } from '../../config/config-from.js';
import { parseEnvironment } from '../../config/environment.js';
import type { AccountSpeechKey } from './account-keys/account-speech-keys.js';
import { ensureAgentsLogger } from './agents-logger.js';
import type { OpenAiSynthesizer } from './openai/openai-synthesizer.js';
import { KeepAliveFetch } from '../llm/openai/keep-alive-fetch.js';
import { vendorWith } from './vendors.js';

const unused = () => Promise.reject(new Error('not needed'));

const KEY: AccountSpeechKey = {
  userId: 1,
  provider: 'openai',
  version: 'a',
  apiKey: 'key-of-ana',
  baseUrl: null,
  region: null,
  recognizerModel: null,
  synthesizerModel: null,
  isRefused: false,
};
const INSTALLATION = {
  OPENAI_BASE_URL: 'http://vllm.example:8000/v1',
  OPENAI_ORG_ID: 'org-of-the-installation',
  OPENAI_API_KEY: 'key-of-the-installation',
  OPENAI_CUSTOM_HEADERS: 'X-Gateway: secret-of-the-installation',
};

describe("OpenAI, asked with an account's key", () => {
  const open = new KeepAliveFetch();

  afterAll(() => open.close());
  afterEach(() => {
    for (const name of Object.keys(INSTALLATION)) delete process.env[name];
  });

  it('is OpenAI itself, whatever server of its kind the installation has in the environment', async () => {
    ensureAgentsLogger();
    Object.assign(process.env, INSTALLATION);
    const { speech } = configFrom(parseEnvironment(INSTALLATION));
    const provider = vendorWith(KEY, speech, { open, guardedFetch: unused });
    const voice = await provider.synthesizer?.({ provider: 'openai', voiceCode: '', language: 'pt-BR' });
    expect(voice?.provider).toBe('api.openai.com');
    const client: unknown = Reflect.get(voice ?? {}, 'client');
    expect(client).toMatchObject({ apiKey: 'key-of-ana', organization: null, project: null });
    const ears = await provider.recognizer?.({ provider: 'openai', languages: ['pt-BR'] });
    expect(ears?.provider).toBe('api.openai.com');
    const model = await provider.realtime?.({
      provider: 'openai',
      model: 'gpt-realtime',
      modality: 'audio',
      languages: ['pt-BR'],
    });
    expect(Reflect.get(model ?? {}, '_options')).toMatchObject({
      apiKey: 'key-of-ana',
      baseURL: 'https://api.openai.com/v1',
    });
    await Promise.all([voice?.close(), ears?.close(), model?.close()]);
  });

  it('tells a server that the account has named nothing but the request', async () => {
    ensureAgentsLogger();
    Object.assign(process.env, INSTALLATION);
    const { speech } = configFrom(parseEnvironment({}));
    const sentHeaders: Headers[] = [];
    const provider = vendorWith({ ...KEY, baseUrl: 'https://speech.example.com/v1' }, speech, {
      open,
      guardedFetch: async (_url, init) => {
        sentHeaders.push(new Headers(init?.headers));
        return new Response(new Uint8Array(4), { headers: { 'content-type': 'audio/pcm' } });
      },
    });
    const voice = await provider.synthesizer?.({ provider: 'openai', voiceCode: '', language: 'pt-BR' });
    await (voice as OpenAiSynthesizer).request('Bom dia.', new AbortController().signal);
    expect(sentHeaders.map((headers) => Object.fromEntries(headers))).toEqual([
      {
        accept: 'application/octet-stream',
        authorization: 'Bearer key-of-ana',
        'content-type': 'application/json',
      },
    ]);
    await voice?.close();
  });

  it('has no realtime model where the account has named a server', () => {
    const { speech } = configFrom(parseEnvironment({}));
    const named = { ...KEY, baseUrl: 'https://speech.example.com/v1' };
    const provider = vendorWith(named, speech, { open, guardedFetch: unused });
    expect([...provider.skills]).toEqual(['recognizer', 'synthesizer']);
  });
});
