import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerJson, LocalServer, type ReceivedRequest } from '#test/support/http-server.js';
import { guardedConnector } from '../../../common/egress/guarded-connector.js';
import { systemLookup } from '../../../common/egress/host-lookup.js';
import { configFrom } from '../../../config/config-from.js';
import { parseEnvironment } from '../../../config/environment.js';
import { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import type { SpeechKeyProvider } from './account-speech-keys.js';
import { SpeechKeyCheck } from './speech-key-check.js';

const KEY = 'key-of-an-account';

describe('whether a provider of speech takes a key', () => {
  let server: LocalServer;
  let status = 200;
  let body: unknown = {};
  let open: KeepAliveFetch;
  let guarded: KeepAliveFetch;
  let checks: SpeechKeyCheck;

  beforeAll(async () => {
    server = await LocalServer.start((_request, response) => answerJson(response, body, status));
    open = new KeepAliveFetch();
    guarded = new KeepAliveFetch(guardedConnector({ allowCidrs: ['127.0.0.1/32'], lookup: systemLookup }));
    const { speech } = configFrom(
      parseEnvironment({
        DEEPGRAM_BASE_URL: `${server.url}/v1/listen`,
        ELEVEN_BASE_URL: server.url,
        GOOGLE_BASE_URL: server.url,
        XAI_BASE_URL: `${server.url}/v1`,
        AZURE_SPEECH_BASE_URL: `${server.url}/`,
        CARTESIA_BASE_URL: server.url,
        OPENAI_BASE_URL: `${server.url}/installation`,
      }),
    );
    checks = new SpeechKeyCheck(speech, open, guarded);
  });
  afterEach(() => {
    [status, body] = [200, {}];
  });
  afterAll(async () => {
    await Promise.all([open.close(), guarded.close(), server.stop()]);
  });

  const check = (provider: SpeechKeyProvider, baseUrl: string | null = null) =>
    checks.check({ provider, apiKey: KEY, baseUrl, region: provider === 'azure' ? 'brazilsouth' : null });
  const last = () => server.requests.at(-1) as ReceivedRequest;

  it.each([
    ['deepgram', '/v1/auth/token', 'authorization', `Token ${KEY}`],
    ['elevenlabs', '/v1/models', 'xi-api-key', KEY],
    ['google', '/v1beta/models?pageSize=1', 'x-goog-api-key', KEY],
    ['xai', '/v1/api-key', 'authorization', `Bearer ${KEY}`],
    ['azure', '/tts/cognitiveservices/voices/list', 'ocp-apim-subscription-key', KEY],
    ['cartesia', '/voices?limit=1', 'x-api-key', KEY],
  ] as const)(
    'is asked of %s by %s, where the installation reaches it',
    async (provider, path, name, value) => {
      expect(await check(provider)).toBe('ok');
      expect(last()).toMatchObject({ method: 'GET', path, headers: { [name]: value } });
    },
  );

  it('is asked of a server of the OpenAI kind by its list of models', async () => {
    body = { data: [] };
    expect(await check('openai', `${server.url}/v1/`)).toBe('ok');
    expect(last()).toMatchObject({ path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } });
  });

  it.each<[SpeechKeyProvider, number, unknown, string]>([
    ['deepgram', 401, { err_code: 'INVALID_AUTH' }, 'refused'],
    ['deepgram', 403, {}, 'refused'],
    ['deepgram', 404, {}, 'unreachable'],
    ['deepgram', 503, {}, 'unreachable'],
    ['elevenlabs', 401, { detail: { status: 'invalid_api_key' } }, 'refused'],
    // It may be good for speech, and for nothing else.
    ['elevenlabs', 401, { detail: { status: 'missing_permissions' } }, 'ok'],
    ['elevenlabs', 401, null, 'refused'],
    ['elevenlabs', 429, {}, 'unreachable'],
    ['google', 400, { error: { details: [{ reason: 'API_KEY_INVALID' }] } }, 'refused'],
    ['google', 400, { error: { details: [] } }, 'unreachable'],
    ['google', 403, {}, 'refused'],
    ['azure', 401, {}, 'refused'],
    ['azure', 429, {}, 'unreachable'],
    ['cartesia', 401, {}, 'refused'],
    ['cartesia', 402, {}, 'unreachable'],
    ['xai', 400, { error: 'Incorrect API key provided' }, 'refused'],
    ['xai', 200, { api_key_blocked: false, api_key_disabled: true }, 'refused'],
    ['xai', 200, { team_blocked: true }, 'refused'],
    ['xai', 200, { api_key_blocked: false, api_key_disabled: false, team_blocked: false }, 'ok'],
  ])('follows from the answer: %s, %i %j: %s', async (provider, code, said, result) => {
    [status, body] = [code, said];
    expect(await check(provider)).toBe(result);
  });

  it.each<[number, unknown, string]>([
    [401, {}, 'refused'],
    [403, {}, 'refused'],
    [404, {}, 'incompatible'],
    [302, {}, 'incompatible'],
    [200, { models: [] }, 'incompatible'],
    [200, null, 'incompatible'],
    [429, {}, 'unreachable'],
    [500, {}, 'unreachable'],
  ])('follows from the answer of an OpenAI-compatible server: %i %j: %s', async (code, said, result) => {
    [status, body] = [code, said];
    expect(await check('openai', `${server.url}/v1`)).toBe(result);
  });

  it('stays unknown when an account names an address inside the network or one without a server', async () => {
    const asked = server.requests.length;
    expect(await check('openai', 'http://127.0.0.2:9/v1')).toBe('forbidden');
    expect(await check('openai', 'http://169.254.169.254/v1')).toBe('forbidden');
    expect(await check('openai', 'http://127.0.0.1:1/v1')).toBe('unreachable');
    expect(server.requests.length).toBe(asked);
  });
});
