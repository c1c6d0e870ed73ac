import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { describeSynthesizer } from '../conformance/synthesizer.conformance.js';
import { AzureFake, textOf } from '../support/speech-fakes/azure-fake.js';
import { CartesiaFake } from '../support/speech-fakes/cartesia-fake.js';
import type { Failing, VendorFake } from '../support/speech-fakes/vendor-fake.js';
import { until } from '../support/until.js';
import { hear, say, sound, speak, spoken } from '../support/voice/vendor-talk.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { KeepAliveFetch } from '../../src/providers/llm/openai/keep-alive-fetch.js';
import { ensureAgentsLogger } from '../../src/providers/speech/agents-logger.js';
import { AzureRecognizer } from '../../src/providers/speech/azure/azure-recognizer.js';
import { CartesiaRecognizer } from '../../src/providers/speech/cartesia/cartesia-recognizer.js';
import { joined } from '../../src/providers/speech/sound-frames.js';
import type { HeardVoice } from '../../src/providers/speech/speech-options.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';

jest.setTimeout(120_000);

const azure = (url: string) => ({ AZURE_SPEECH_KEY: 'k', AZURE_SPEECH_BASE_URL: url });
const cartesia = (url: string) => ({ CARTESIA_API_KEY: 'k', CARTESIA_BASE_URL: url });

describeSynthesizer('Azure', {
  provider: 'azure',
  makeFake: () => new AzureFake(),
  environment: azure,
  textsOf: (fake) => (fake as AzureFake).spoken.map(({ ssml }) => textOf(ssml)),
});
describeSynthesizer('Cartesia', {
  provider: 'cartesia',
  makeFake: () => new CartesiaFake(),
  environment: cartesia,
  textsOf: (fake) => (fake as CartesiaFake).spoken.map(({ transcript }) => transcript),
});

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function started<T extends VendorFake>(fake: T, failing: Failing = 'never'): Promise<T> {
  await fake.start();
  fake.failing = failing;
  cleanups.push(() => fake.stop());
  return fake;
}

function registryOf(environment: Record<string, string>): SpeechProviderRegistry {
  const { speech, security } = configFrom(parseEnvironment(environment));
  const registry = new SpeechProviderRegistry(speech, security);
  cleanups.push(() => registry.onApplicationShutdown());
  return registry;
}

/** What a stream of Azure's ears ends with. */
async function failureOf(fake: AzureFake): Promise<unknown> {
  ensureAgentsLogger();
  const resource = { apiKey: 'k', region: undefined, baseUrl: fake.url };
  const ears = new AzureRecognizer(resource, { provider: 'azure', languages: ['pt-BR'] });
  const failures: Error[] = [];
  ears.on('error', ({ error }) => failures.push(error));
  const stream = ears.stream({ connOptions: { maxRetry: 0, retryIntervalMs: 10, timeoutMs: 2_000 } });
  for (const frame of UTTERANCES) stream.pushFrame(frame);
  for await (const _event of stream);
  return failures[0];
}

const UTTERANCES = [
  sound(0.4, false),
  sound(1, true),
  sound(0.8, false),
  sound(1, true),
  sound(0.8, false),
].flat();

describe('Azure', () => {
  it('is asked in SSML for raw sound, with the key, the voice, its language and pace', async () => {
    const fake = await started(new AzureFake());
    const voice = await registryOf(azure(fake.url)).installation.synthesizer({
      provider: 'azure',
      voiceCode: 'pt-BR-FranciscaNeural',
      language: 'pt-BR',
      speed: 1.1,
    });
    await say(voice, 'Olá & bom dia.');
    const [asked] = fake.spoken;
    expect(asked?.ssml).toBe(
      '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="pt-BR">' +
        '<voice name="pt-BR-FranciscaNeural"><prosody rate="1.1">Olá &amp; bom dia.</prosody></voice></speak>',
    );
    expect(asked?.headers).toMatchObject({
      'ocp-apim-subscription-key': 'k',
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'raw-24khz-16bit-mono-pcm',
      'user-agent': 'Prosa',
    });
  });

  it('replaces a voice by one of the same gender that speaks the language', async () => {
    const fake = await started(new AzureFake());
    const voice = await registryOf(azure(fake.url)).installation.synthesizer({
      provider: 'elevenlabs',
      voiceCode: 'sarah',
      language: 'is-IS',
      gender: 'male',
    });
    expect((await say(voice, 'Góðan dag.')).provider).toBe('Azure');
    expect(fake.spoken[0]?.ssml).toContain(
      '<voice name="en-US-AndrewMultilingualNeural"><lang xml:lang="is-IS">Góðan dag.</lang></voice>',
    );
  });

  it('listens all the time, with words on the way, and goes on after a turn has ended', async () => {
    const fake = await started(new AzureFake());
    fake.transcripts = ['Quero marcar uma consulta.', 'Amanhã às três.'];
    fake.endsTurns = true;
    const ears = await registryOf(azure(fake.url)).installation.recognizer({
      provider: 'azure',
      languages: ['pt-BR'],
      phrases: ['Helena'],
    });
    const { finals, interims, provider } = await hear(ears, UTTERANCES, 2);
    expect(finals).toEqual(['Quero marcar uma consulta.', 'Amanhã às três.']);
    expect(interims[0]).toBe('quero');
    expect(provider).toBe('Azure');
    expect(fake.connections[0]?.url).toBe(
      '/stt/speech/recognition/conversation/cognitiveservices/v1?language=pt-BR&format=simple',
    );
    expect(fake.connections[0]?.headers['ocp-apim-subscription-key']).toBe('k');
    expect(fake.messages.map(({ path }) => path).slice(0, 2)).toEqual(['speech.config', 'speech.context']);
    expect(fake.messages[1]?.body).toEqual({
      dgi: { groups: [{ type: 'Generic', items: [{ text: 'Helena' }] }] },
    });
    expect(fake.audioTypes[0]).toBe('audio/x-wav');
    expect(fake.audioTypes.length).toBeGreaterThan(1);
  });

  it('receives all audio after the service has closed a connection', async () => {
    ensureAgentsLogger();
    const fake = await started(new AzureFake());
    fake.failingOf = () => (fake.connections.length === 1 ? 'break' : 'never');
    const resource = { apiKey: 'k', region: undefined, baseUrl: fake.url };
    const ears = new AzureRecognizer(resource, { provider: 'azure', languages: ['pt-BR'] });
    const stream = ears.stream({ connOptions: { maxRetry: 1, retryIntervalMs: 500, timeoutMs: 2_000 } });
    cleanups.push(() => stream.close());
    await speak(stream, 0.4);
    await until(() => fake.open === 0, 10_000);
    const before = fake.heardMs;
    // Also what comes before the next connection is open.
    await speak(stream, 2);
    await until(() => fake.heardMs - before >= 1_900, 5_000);
    expect(fake.connections).toHaveLength(2);
  });

  it('finds out which of several languages is spoken', async () => {
    const fake = await started(new AzureFake());
    fake.transcripts = ['I want an appointment.'];
    fake.language = 'en-US';
    const ears = await registryOf(azure(fake.url)).installation.recognizer({
      provider: 'azure',
      languages: ['pt-BR', 'en-US'],
    });
    expect((await hear(ears, UTTERANCES, 1)).finals).toEqual(['I want an appointment.']);
    expect(fake.connections[0]?.url).toBe(
      '/stt/stt/speech/universal/v2?lidEnabled=true&format=simple'.slice(4),
    );
    const context = fake.messages.find(({ path }) => path === 'speech.context')?.body;
    expect(context).toMatchObject({
      languageId: { languages: ['pt-BR', 'en-US'], mode: 'DetectContinuous' },
    });
  });

  it.each<[Failing]>([['refuse'], ['break'], ['silence'], ['garbage']])(
    'is replaced by the next ears when it fails (%s)',
    async (failing) => {
      const fake = await started(new AzureFake(), failing);
      fake.transcripts = ['nada', 'nada', 'nada'];
      const registry = registryOf(azure(fake.url));
      await registry.sandbox.recognizer({ provider: 'sandbox', languages: ['pt-BR'] });
      await registry.sandbox.ready();
      const frames = await spoken(registry, 'Pode falar, estou ouvindo.');
      const ears = await registry.installation.recognizer({ provider: 'azure', languages: ['pt-BR'] });
      const { finals, provider } = await hear(ears, frames, 1);
      expect(finals).toEqual(['Pode falar, estou ouvindo.']);
      expect(provider).toBe('sandbox');
    },
  );

  it.each<[Failing, number]>([
    ['refuse', 401],
    ['unpaid', 402],
    ['limit', 429],
    ['down', 503],
  ])('names the status by which it refuses a connection: %s, %i', async (failing, status) => {
    const fake = await started(new AzureFake(), failing);
    expect(await failureOf(fake)).toMatchObject({ name: 'APIStatusError', statusCode: status });
  });

  it.each([
    ['Error', 500],
    ['TooManyRequests', 429],
    ['Forbidden', 403],
  ])('fails where it says that it cannot go on: %s', async (status, statusCode) => {
    const fake = await started(new AzureFake());
    fake.status = status;
    fake.transcripts = ['nada'];
    expect(await failureOf(fake)).toMatchObject({ name: 'APIStatusError', statusCode });
  });

  it.each<[Failing]>([['reset'], ['leave'], ['noise'], ['garbage']])(
    'fails as a connection does, and ends: %s',
    async (failing) => {
      const fake = await started(new AzureFake(), failing);
      expect(await failureOf(fake)).toMatchObject({ name: 'APIConnectionError' });
    },
  );

  it('needs a region in addition to its key, unless it has an address of its own', () => {
    const whyNot = (environment: Record<string, string>) =>
      registryOf(environment).installation.whyNot('synthesizer', 'azure');
    expect(whyNot({})).toBe('Azure cannot be used: AZURE_SPEECH_KEY is not set.');
    expect(whyNot({ AZURE_SPEECH_KEY: 'k' })).toBe('Azure cannot be used: AZURE_SPEECH_REGION is not set.');
    expect(whyNot({ AZURE_SPEECH_KEY: 'k', AZURE_SPEECH_REGION: 'BrazilSouth' })).toBeNull();
    expect(() => parseEnvironment({ AZURE_SPEECH_REGION: 'evil.example/' })).toThrow('AZURE_SPEECH_REGION');
  });
});

describe('the listener to a voice', () => {
  async function heardOf(environment: Record<string, string>, provider: string, voiceCode = 'a-voice') {
    const heard: HeardVoice[] = [];
    const voice = await registryOf(environment).installation.synthesizer({
      provider,
      voiceCode,
      language: 'pt-BR',
      gender: 'male',
      onHeard: (one) => heard.push(one),
    });
    await say(voice, 'Bom dia.');
    return heard;
  }

  it('is informed that it is the requested voice', async () => {
    const fake = await started(new AzureFake());
    const own = { provider: 'azure', providerName: 'Azure', code: 'pt-BR-AntonioNeural', reason: null };
    expect(await heardOf(azure(fake.url), 'azure', 'pt-BR-AntonioNeural')).toEqual([own]);
  });

  it.each([
    ['elevenlabs', 'no_key'],
    ['gladia', 'no_adapter'],
  ])('is informed which voice replaces it, and why: %s, %s', async (provider, reason) => {
    const fake = await started(new AzureFake());
    const code = 'en-US-AndrewMultilingualNeural';
    expect(await heardOf(azure(fake.url), provider)).toEqual([
      { provider: 'azure', providerName: 'Azure', code, reason },
    ]);
  });

  it('is informed that it failed', async () => {
    const fake = await started(new AzureFake(), 'down');
    expect(await heardOf(azure(fake.url), 'azure')).toEqual([
      { provider: 'sandbox', providerName: 'Sandbox', code: '', reason: 'failed' },
    ]);
  });
});

describe('Cartesia', () => {
  it('is asked for raw sound in its version of the API, with the voice, language and pace', async () => {
    const fake = await started(new CartesiaFake());
    const voice = await registryOf(cartesia(`${fake.url}/`)).installation.synthesizer({
      provider: 'cartesia',
      voiceCode: 'a-voice',
      language: 'pt-BR',
      speed: 0.9,
    });
    await say(voice, 'Bom dia.');
    expect(fake.spoken).toEqual([
      {
        model_id: 'sonic-3',
        transcript: 'Bom dia.',
        voice: { mode: 'id', id: 'a-voice' },
        language: 'pt',
        output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
        generation_config: { speed: 0.9 },
      },
    ]);
    expect(fake.headers[0]).toMatchObject({ 'x-api-key': 'k', 'cartesia-version': '2025-04-16' });
  });

  it('replaces a voice by one of the same gender, of the language where there is one', async () => {
    const fake = await started(new CartesiaFake());
    const { installation } = registryOf(cartesia(fake.url));
    const options = { provider: 'elevenlabs', voiceCode: 'sarah', gender: 'male' } as const;
    await say(await installation.synthesizer({ ...options, language: 'pt-BR' }), 'Bom dia.');
    await say(await installation.synthesizer({ ...options, language: 'nb-NO' }), 'God dag.');
    expect(fake.spoken.map(({ voice, language }) => [voice.id, language])).toEqual([
      ['a37639f0-2f0a-4de4-9942-875a187af878', 'pt'],
      ['a5136bf9-224c-4d76-b823-52bd5efcffcc', 'no'],
    ]);
  });

  it('understands whole utterances', async () => {
    const fake = await started(new CartesiaFake());
    fake.transcripts = [' quero marcar uma consulta '];
    const registry = registryOf(cartesia(fake.url));
    const frames = [...sound(0.5, false), ...(await spoken(registry, 'Pode falar, estou ouvindo.'))];
    const ears = await registry.installation.recognizer({
      provider: 'cartesia',
      languages: ['pt-BR', 'en-US'],
    });
    const { finals, provider } = await hear(
      ears,
      frames.filter(({ sampleRate }) => sampleRate === 24_000),
      1,
    );
    expect(finals).toEqual(['quero marcar uma consulta']);
    expect(provider).toBe('Cartesia');
    expect(fake.heard[0]).toMatchObject({ model: 'ink-whisper', language: 'pt' });
    expect(fake.heard[0]?.seconds).toBeGreaterThan(0.5);
  });

  it.each<[Failing, object]>([
    ['refuse', { statusCode: 401 }],
    ['unpaid', { statusCode: 402 }],
    ['limit', { statusCode: 429 }],
    ['down', { statusCode: 503 }],
    ['reset', { name: 'APIConnectionError' }],
    ['garbage', { name: 'APIConnectionError' }],
    ['shapes', { name: 'APIConnectionError' }],
  ])(
    'names the status by which it refuses an utterance, and never its words: %s',
    async (failing, expected) => {
      const fake = await started(new CartesiaFake(), failing);
      const connections = new KeepAliveFetch();
      cleanups.push(() => connections.close());
      const options = { provider: 'cartesia', languages: ['pt-BR'] };
      const access = { apiKey: 'secret-key', baseUrl: fake.url };
      const heard = new CartesiaRecognizer(access, connections, options).recognize(joined(sound(0.5, true)));
      const failure: unknown = await heard.catch((error: unknown) => error);
      expect(failure).toMatchObject(expected);
      expect((failure as Error).message).not.toContain('secret-key');
    },
  );

  it.each<[Failing]>([['unpaid'], ['shapes']])(
    'is replaced by the next ears when it fails (%s)',
    async (failing) => {
      const fake = await started(new CartesiaFake(), failing);
      const registry = registryOf(cartesia(fake.url));
      await registry.sandbox.recognizer({ provider: 'sandbox', languages: ['pt-BR'] });
      await registry.sandbox.ready();
      const frames = await spoken(registry, 'Pode falar, estou ouvindo.');
      const ears = await registry.installation.recognizer({ provider: 'cartesia', languages: ['pt-BR'] });
      const { finals, provider } = await hear(ears, frames, 1, 25_000);
      expect([provider, finals]).toEqual(['sandbox', ['Pode falar, estou ouvindo.']]);
    },
  );
});
