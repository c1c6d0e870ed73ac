import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { LLMock } from '@copilotkit/aimock';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';
import type { Failing, VendorFake } from '../support/speech-fakes/vendor-fake.js';
import { hear, say, sound, spoken } from '../support/voice/vendor-talk.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';

jest.setTimeout(120_000);

const PORTUGUESE = { language: 'pt-BR', gender: 'female' } as const;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function registryOf(env: Record<string, string>): SpeechProviderRegistry {
  const { speech, security } = configFrom(parseEnvironment(env));
  const registry = new SpeechProviderRegistry(speech, security);
  cleanups.push(() => registry.onApplicationShutdown());
  return registry;
}

async function started<T extends VendorFake>(fake: T, failing: Failing = 'never'): Promise<T> {
  await fake.start();
  fake.failing = failing;
  cleanups.push(() => fake.stop());
  return fake;
}

async function aimock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  await mock.start();
  cleanups.push(() => mock.stop());
  return mock;
}

/** What the sandbox itself may take for the text on a busy machine. */
const SANDBOX_MS = 8_000;

describe('voices of providers', () => {
  const TEXT = 'Bom dia, aqui fala a assistente da clínica. Em que posso ajudar hoje?';

  it('ElevenLabs speaks through its plugin, with the settings of the voice', async () => {
    const fake = await started(new ElevenLabsFake());
    const registry = registryOf({ ELEVEN_API_KEY: 'k', ELEVEN_BASE_URL: fake.url });
    const voice = await registry.installation.synthesizer({
      ...PORTUGUESE,
      provider: 'elevenlabs',
      voiceCode: 'sarah',
      stability: 0.3,
      similarity: 0.9,
      speed: 1.1,
    });
    const { seconds, provider } = await say(voice, TEXT);
    expect(seconds).toBeCloseTo(TEXT.length * 0.06, 0);
    expect(provider).toBe('ElevenLabs');
    expect(fake.texts.join(' ')).toBe(TEXT);
    expect(fake.voiceSettings[0]).toMatchObject({ stability: 0.3, similarity_boost: 0.9, speed: 1.1 });
    expect(fake.connections[0]!.url).toContain(
      '/v1/text-to-speech/sarah/multi-stream-input?model_id=eleven_flash_v2_5',
    );
    expect(fake.connections[0]!.headers['xi-api-key']).toBe('k');
    expect(fake.connections).toHaveLength(1);
  });

  it('OpenAI speaks, and so does any server of its kind', async () => {
    const mock = await aimock();
    const audio = Buffer.from(new Int16Array(24_000).fill(5_000).buffer).toString('base64');
    mock.onSpeech(/.*/, { audio, format: 'pcm' });
    const registry = registryOf({ SPEECH_BASE_URL: `${mock.url}/v1`, TEXT_TO_SPEECH_MODEL: 'kokoro' });
    const voice = await registry.installation.synthesizer({
      ...PORTUGUESE,
      provider: 'openai',
      voiceCode: 'marin',
    });
    const { seconds, provider } = await say(voice, 'Uma frase só.');
    expect(seconds).toBeCloseTo(1, 1);
    expect(provider).toBe(new URL(mock.url).host);
  });

  it.each<[Failing, number]>([
    ['refuse', 3_000],
    ['break', 3_000],
    ['silence', 8_000],
    ['garbage', 8_000],
  ])(
    'the next voice speaks on within a bounded time when the first one fails (%s)',
    async (failing, atMostMs) => {
      const fake = await started(new ElevenLabsFake(), failing);
      const registry = registryOf({ ELEVEN_API_KEY: 'k', ELEVEN_BASE_URL: fake.url });
      // The sandbox is warm, so that only the deadlines count.
      await spoken(registry, TEXT);
      const voice = await registry.installation.synthesizer({
        ...PORTUGUESE,
        provider: 'elevenlabs',
        voiceCode: 'sarah',
      });
      const began = performance.now();
      const { seconds, provider } = await say(voice, TEXT);
      expect(provider).toBe('sandbox');
      expect(seconds).toBeGreaterThan(3);
      expect(performance.now() - began).toBeLessThan(atMostMs + SANDBOX_MS);
    },
  );

  it('asks a provider that failed in another call last', async () => {
    const fake = await started(new ElevenLabsFake(), 'refuse');
    const registry = registryOf({ ELEVEN_API_KEY: 'k', ELEVEN_BASE_URL: fake.url });
    const options = { ...PORTUGUESE, provider: 'elevenlabs', voiceCode: 'sarah' };
    await say(await registry.installation.synthesizer(options), 'Primeira ligação.');
    const asked = fake.connections.length;
    expect((await say(await registry.installation.synthesizer(options), 'Segunda ligação.')).provider).toBe(
      'sandbox',
    );
    expect(fake.connections).toHaveLength(asked);
  });
});

describe('ears of providers', () => {
  it('Deepgram listens through its plugin, with words on the way', async () => {
    const fake = await started(new DeepgramFake());
    fake.transcripts = ['quero marcar uma consulta', 'amanhã às três'];
    const registry = registryOf({ DEEPGRAM_API_KEY: 'k', DEEPGRAM_BASE_URL: fake.url });
    const ears = await registry.installation.recognizer({
      provider: 'deepgram',
      languages: ['pt-BR'],
      phrases: ['Helena'],
    });
    const frames = [
      sound(0.4, false),
      sound(1, true),
      sound(0.8, false),
      sound(1, true),
      sound(0.8, false),
    ].flat();
    const { finals, interims, provider } = await hear(ears, frames, 2);
    expect(finals).toEqual(['quero marcar uma consulta', 'amanhã às três']);
    expect(interims[0]).toBe('quero');
    expect(provider).toBe('Deepgram');
    const query = new URL(fake.connections[0]!.url!, fake.url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      model: 'nova-3',
      language: 'pt-BR',
      keyterm: 'Helena',
    });
    expect(fake.connections[0]!.headers.authorization).toBe('Token k');
  });

  it('Deepgram understands again after a lost connection that its plugin did not notice', async () => {
    const fake = await started(new DeepgramFake());
    fake.failingOf = () => (fake.connections.length === 1 ? 'leave' : 'never');
    fake.transcripts = ['quero marcar uma consulta'];
    const registry = registryOf({ DEEPGRAM_API_KEY: 'k', DEEPGRAM_BASE_URL: fake.url });
    await registry.sandbox.recognizer({ provider: 'sandbox', languages: ['pt-BR'] });
    await registry.sandbox.ready();
    // The next provider does not understand it.
    const frames = await spoken(registry, 'Bzzz grrr hmmm ahh tossindo muito.');
    const ears = await registry.installation.recognizer({ provider: 'deepgram', languages: ['pt-BR'] });
    const { finals, provider } = await hear(ears, frames, 1);
    expect(finals).toEqual(['quero marcar uma consulta']);
    expect(provider).toBe('Deepgram');
    expect(fake.connections).toHaveLength(2);
  });

  it('an OpenAI-compatible server receives whole utterances', async () => {
    const mock = await aimock();
    mock.onTranscription({ transcription: { text: 'quero marcar uma consulta' } });
    const registry = registryOf({ SPEECH_BASE_URL: `${mock.url}/v1`, SPEECH_TO_TEXT_MODEL: 'whisper-small' });
    const frames = [...sound(0.5, false), ...(await spoken(registry, 'Pode falar, estou ouvindo.'))];
    const ears = await registry.installation.recognizer({ provider: 'openai', languages: ['pt-BR'] });
    // Sound of one rate, as a call has: the detector refuses a change.
    const { finals } = await hear(
      ears,
      frames.filter(({ sampleRate }) => sampleRate === 24_000),
      1,
    );
    expect(finals).toEqual(['quero marcar uma consulta']);
  });

  it.each<[Failing]>([['refuse'], ['break'], ['silence'], ['garbage']])(
    'the next ears understand what was said when the first ones fail (%s)',
    async (failing) => {
      const fake = await started(new DeepgramFake(), failing);
      const registry = registryOf({ DEEPGRAM_API_KEY: 'k', DEEPGRAM_BASE_URL: fake.url });
      await registry.sandbox.recognizer({ provider: 'sandbox', languages: ['pt-BR'] });
      await registry.sandbox.ready();
      const frames = await spoken(registry, 'Pode falar, estou ouvindo.');
      const ears = await registry.installation.recognizer({ provider: 'deepgram', languages: ['pt-BR'] });
      const { finals, provider } = await hear(ears, frames, 1);
      expect(finals).toEqual(['Pode falar, estou ouvindo.']);
      expect(provider).toBe('sandbox');
    },
  );

  it('does not change providers for an unintelligible noise', async () => {
    const fake = await started(new DeepgramFake());
    fake.transcripts = [''];
    const registry = registryOf({ DEEPGRAM_API_KEY: 'k', DEEPGRAM_BASE_URL: fake.url });
    await registry.sandbox.recognizer({ provider: 'sandbox', languages: ['pt-BR'] });
    await registry.sandbox.ready();
    const ears = await registry.installation.recognizer({ provider: 'deepgram', languages: ['pt-BR'] });
    const frames = await spoken(registry, 'Bzzz grrr hmmm ahh tossindo muito.');
    const { finals, provider } = await hear(ears, frames, 1, 6_000);
    expect(finals).toEqual([]);
    expect(provider).toBe('Deepgram');
  });
});

it('offers a provider with its key alone, and says which key is missing', () => {
  const registry = registryOf({ DEEPGRAM_API_KEY: 'k', XAI_API_KEY: 'k' });
  expect(registry.installation.offered('recognizer')).toEqual(['deepgram', 'xai', 'sandbox']);
  expect(registry.installation.offered('synthesizer')).toEqual(['xai', 'sandbox']);
  expect(registry.installation.whyNot('synthesizer', 'elevenlabs')).toBe(
    'ElevenLabs cannot be used: ELEVEN_API_KEY is not set.',
  );
  expect(registry.installation.whyNot('recognizer', 'deepgram')).toBeNull();
});
