import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import type {
  AccountSpeechKey,
  SpeechKeyProvider,
} from '../../src/providers/speech/account-keys/account-speech-keys.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';
import { keyIn, type VendorFake } from '../support/speech-fakes/vendor-fake.js';
import { LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import { hear, say, sound, spoken } from '../support/voice/vendor-talk.js';

jest.setTimeout(120_000);

const [ANA, BIA, CARLA] = [1, 2, 3];
const OURS = 'key-of-the-installation';
const VOICE = { provider: 'elevenlabs', voiceCode: 'sarah', language: 'pt-BR', gender: 'female' } as const;
const EARS = { provider: 'deepgram', languages: ['pt-BR'] };
const TEXT = 'Bom dia, aqui fala a clínica.';

describe('keys for speech that accounts have brought', () => {
  let deepgram: DeepgramFake;
  let eleven: ElevenLabsFake;
  let openai: OpenAiFake;
  let registry: SpeechProviderRegistry;
  let stored: Map<number, AccountSpeechKey[]>;
  let reported: [version: string, how: string][];
  let logged: unknown[];

  beforeEach(async () => {
    [stored, reported, logged] = [new Map(), [], []];
    const log = (...words: unknown[]) => void logged.push(words);
    const logger: LoggerService = { log, warn: log, error: log, debug: log };
    Logger.overrideLogger(logger);
    [deepgram, eleven, openai] = [new DeepgramFake(), new ElevenLabsFake(), new OpenAiFake()];
    await Promise.all([deepgram, eleven, openai].map((fake) => fake.start()));
    start({ DEEPGRAM_API_KEY: OURS, ELEVEN_API_KEY: OURS });
  });
  afterEach(async () => {
    Logger.overrideLogger(true);
    await registry.onApplicationShutdown();
    await Promise.all([deepgram, eleven, openai].map((fake) => fake.stop()));
  });

  function start(environment: Record<string, string>): void {
    const { speech, security } = configFrom(
      parseEnvironment({
        DEEPGRAM_BASE_URL: deepgram.url,
        ELEVEN_BASE_URL: eleven.url,
        XAI_BASE_URL: `${openai.url}/v1`,
        EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
        ...environment,
      }),
    );
    registry = new SpeechProviderRegistry(speech, security);
    registry.readAccountKeysFrom({
      findSpeechKeys: async (userId) => stored.get(userId) ?? [],
      speechKeyTurnedOut: ({ version }, how) => void reported.push([version, how]),
    });
  }

  function bring(
    userId: number,
    provider: SpeechKeyProvider,
    apiKey: string | null,
    more: Partial<AccountSpeechKey> = {},
  ): void {
    const key = {
      userId,
      provider,
      apiKey,
      version: `${userId}/${provider}/${apiKey}`,
      baseUrl: null,
      region: null,
      recognizerModel: null,
      synthesizerModel: null,
      isRefused: false,
      ...more,
    };
    const others = (stored.get(userId) ?? []).filter((other) => other.provider !== provider);
    stored.set(userId, [...others, key]);
    registry.accountKeysChanged(userId);
  }

  const speak = async (userId: number, text = TEXT, voice: Parameters<typeof synthesizerOf>[1] = VOICE) =>
    say(await synthesizerOf(userId, voice), text);
  const synthesizerOf = async (
    userId: number,
    voice: { provider: string; voiceCode: string; language: string },
  ) => (await registry.of(userId)).synthesizer(voice);
  const keysOf = (fake: VendorFake) => fake.connections.map(keyIn);
  const utterance = () => [sound(0.4, false), sound(1, true), sound(0.8, false)].flat();

  it('are those that their own calls speak and listen with, at the same time as those of others', async () => {
    bring(ANA, 'elevenlabs', 'key-of-ana');
    bring(ANA, 'deepgram', 'key-of-ana');
    bring(BIA, 'elevenlabs', 'key-of-bia');
    deepgram.transcripts = ['oi', 'oi', 'oi'];
    const voices = [ANA, BIA, CARLA].map(async (userId) => {
      const options = { ...VOICE, voiceCode: `voice-of-${userId}` };
      expect((await speak(userId, TEXT, options)).provider).toBe('ElevenLabs');
    });
    const ears = [ANA, BIA, CARLA].map(async (userId) => {
      const opened = await (await registry.of(userId)).recognizer(EARS);
      expect((await hear(opened, utterance(), 1)).finals).toEqual(['oi']);
    });
    await Promise.all([...voices, ...ears]);
    const byVoice = Object.fromEntries(
      eleven.connections.map((request) => [/voice-of-\d/.exec(request.url ?? '')?.[0], keyIn(request)]),
    );
    expect(byVoice).toEqual({ 'voice-of-1': 'key-of-ana', 'voice-of-2': 'key-of-bia', 'voice-of-3': OURS });
    expect(keysOf(deepgram).toSorted()).toEqual(['key-of-ana', OURS, OURS]);
  });

  it('make a provider available that the installation has no key for, to their account alone', async () => {
    await registry.onApplicationShutdown();
    start({});
    bring(ANA, 'elevenlabs', 'key-of-ana');
    expect((await registry.of(ANA)).offered('synthesizer')).toEqual(['elevenlabs', 'sandbox']);
    expect((await registry.of(BIA)).whyNot('synthesizer', 'elevenlabs')).toBe(
      'ElevenLabs cannot be used: ELEVEN_API_KEY is not set.',
    );
    expect((await speak(ANA)).provider).toBe('ElevenLabs');
    expect((await speak(BIA)).provider).toBe('sandbox');
    expect(keysOf(eleven)).toEqual(['key-of-ana']);
  });

  it('that are refused are reported, rest for their account only, and are not replaced by another key of the provider', async () => {
    bring(ANA, 'elevenlabs', 'key-of-ana');
    eleven.keys = new Set([OURS, 'key-of-bia']);
    bring(BIA, 'elevenlabs', 'key-of-bia');
    expect((await speak(ANA)).provider).toBe('sandbox');
    await until(() => reported.length > 0);
    expect(reported).toEqual([['1/elevenlabs/key-of-ana', 'refused']]);
    const tries = eleven.connections.length;
    // It rests: the next call is not held up by it.
    expect((await speak(ANA)).provider).toBe('sandbox');
    expect(eleven.connections.length).toBe(tries);
    expect((await speak(BIA)).provider).toBe('ElevenLabs');
    expect((await speak(CARLA)).provider).toBe('ElevenLabs');
    expect(new Set(keysOf(eleven).slice(0, tries))).toEqual(new Set(['key-of-ana']));
    expect(keysOf(eleven).slice(tries)).toEqual(['key-of-bia', OURS]);
    expect(reported).toHaveLength(1);
  });

  it('are not reported when the provider fails without refusing them', async () => {
    bring(ANA, 'elevenlabs', 'key-of-ana');
    eleven.failing = 'down';
    expect((await speak(ANA)).provider).toBe('sandbox');
    await until(() => eleven.keysAsked.length > 0);
    expect(eleven.keysAsked).toEqual(['key-of-ana']);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reported).toEqual([]);
  });

  it('that are refused in the middle of a call let another provider speak on', async () => {
    bring(ANA, 'elevenlabs', 'key-of-ana');
    const voice = await synthesizerOf(ANA, VOICE);
    const stream = voice.stream();
    let seconds = 0;
    const reading = (async () => {
      for await (const audio of stream)
        if (typeof audio !== 'symbol') seconds += audio.frame.samplesPerChannel / audio.frame.sampleRate;
    })();
    stream.pushText('Esta é a primeira frase, que ainda é dita com a chave. ');
    stream.flush();
    await until(() => seconds > 1, 20_000);
    expect(voice.provider).toBe('ElevenLabs');
    eleven.keys = new Set([OURS]);
    eleven.breakAll();
    const before = seconds;
    stream.pushText('E esta é a segunda frase, que outro fornecedor diz. ');
    stream.endInput();
    await reading;
    await voice.close();
    expect(seconds - before).toBeGreaterThan(1);
    expect(voice.provider).toBe('sandbox');
    await until(() => reported.length > 0);
    expect(reported).toEqual([['1/elevenlabs/key-of-ana', 'refused']]);
    expect(new Set(keysOf(eleven))).toEqual(new Set(['key-of-ana']));
  });

  it('are used from the next opening on when they change; what is open goes on with the one before', async () => {
    bring(ANA, 'elevenlabs', 'key-one');
    const first = await synthesizerOf(ANA, VOICE);
    const stream = first.stream();
    stream.pushText('Primeira frase da ligação. ');
    stream.flush();
    await until(() => eleven.connections.length === 1);
    bring(ANA, 'elevenlabs', 'key-two');
    expect((await speak(ANA)).provider).toBe('ElevenLabs');
    stream.pushText('Segunda frase da ligação. ');
    stream.endInput();
    let seconds = 0;
    for await (const audio of stream)
      if (typeof audio !== 'symbol') seconds += audio.frame.samplesPerChannel / audio.frame.sampleRate;
    await first.close();
    expect(seconds).toBeGreaterThan(2);
    expect(keysOf(eleven)).toEqual(['key-one', 'key-two']);
    stored.delete(ANA);
    registry.accountKeysChanged(ANA);
    await speak(ANA);
    expect(keysOf(eleven).at(-1)).toBe(OURS);
  });

  it('that cannot be opened are not used, and neither is the one of the installation', async () => {
    bring(ANA, 'elevenlabs', null);
    expect((await registry.of(ANA)).whyNot('synthesizer', 'elevenlabs')).toBe(
      'ElevenLabs cannot be used: the key of the account cannot be opened.',
    );
    expect((await speak(ANA)).provider).toBe('sandbox');
    expect(eleven.connections).toEqual([]);
  });

  describe('for a server of the OpenAI kind', () => {
    const bringServer = (userId = ANA, baseUrl = `${openai.url}/v1`) =>
      bring(userId, 'openai', 'key-of-ana', {
        baseUrl,
        recognizerModel: 'whisper-small',
        synthesizerModel: 'kokoro',
      });
    const OPENAI_VOICE = { ...VOICE, provider: 'openai', voiceCode: 'nova' };

    it('speak and listen there', async () => {
      bringServer();
      openai.heard = 'quero marcar uma consulta';
      expect((await speak(ANA, 'Uma frase só.', OPENAI_VOICE)).provider).toBe(new URL(openai.url).host);
      const frames = [...sound(0.5, false), ...(await spoken(registry, 'Pode falar, estou ouvindo.'))];
      const ears = await (await registry.of(ANA)).recognizer({ provider: 'openai', languages: ['pt-BR'] });
      const { finals } = await hear(
        ears,
        frames.filter(({ sampleRate }) => sampleRate === 24_000),
        1,
      );
      expect(finals).toEqual(['quero marcar uma consulta']);
      expect(new Set(openai.keysAsked)).toEqual(new Set(['key-of-ana']));
    });

    it('stand in before the providers of the installation', async () => {
      bringServer();
      bring(ANA, 'elevenlabs', 'key-of-ana');
      eleven.keys = new Set([OURS]);
      const { provider } = await speak(ANA);
      expect(provider).toBe(new URL(openai.url).host);
      expect((await registry.of(ANA)).offered('recognizer')).toEqual(['openai', 'deepgram', 'sandbox']);
    });

    it('reach no address inside the network, whatever a name has come to mean', async () => {
      for (const baseUrl of [openai.url.replace('127.0.0.1', '127.0.0.2'), 'http://localhost:9/v1']) {
        bringServer(ANA, baseUrl);
        expect((await speak(ANA, TEXT, OPENAI_VOICE)).provider).not.toBe(new URL(openai.url).host);
      }
      expect(openai.keysAsked).toEqual([]);
      expect((await registry.of(ANA)).whyNot('realtime', 'openai')).toContain('OPENAI_API_KEY');
    });

    it('hold no connection to a server that answers with something else than sound, for ever', async () => {
      const sockets = new Set<unknown>();
      const server = await LocalServer.start((_request, response) => {
        sockets.add(response.socket);
        response.socket?.once('close', () => sockets.delete(response.socket));
        response.writeHead(200, { 'Content-Type': 'text/html' }).write('<html>');
      });
      bringServer(ANA, server.url);
      expect((await speak(ANA, TEXT, OPENAI_VOICE)).provider).toBe('ElevenLabs');
      // The list of models, which is requested too, has ten seconds.
      await until(() => server.requests.length > 1);
      await until(() => sockets.size === 0, 20_000);
      await server.stop();
    });

    it('are in no line of the log, whatever the server says', async () => {
      bringServer();
      openai.keys = new Set();
      await speak(ANA, TEXT, OPENAI_VOICE);
      await until(() => reported.length > 0);
      expect(JSON.stringify(logged)).toContain('status 401');
      expect(JSON.stringify(logged)).not.toContain('key-of-ana');
    });
  });

  describe('for realtime models', () => {
    const MODEL = { provider: 'xai', code: 'grok-realtime' };
    const open = async (userId: number) => {
      const speech = await registry.of(userId);
      const model = await speech.realtime({
        provider: MODEL.provider,
        model: MODEL.code,
        modality: 'audio',
        languages: ['pt-BR'],
      });
      const session = model.session();
      session.on('error', () => {});
      return { speech, close: () => session.close().then(() => model.close()) };
    };

    it('are those that their calls are held with, and rest for their account alone', async () => {
      bring(ANA, 'xai', 'key-of-ana');
      bring(BIA, 'xai', 'key-of-bia');
      const [ana, bia] = [await open(ANA), await open(BIA)];
      await until(() => openai.open === 2);
      expect(keysOf(openai).toSorted()).toEqual(['key-of-ana', 'key-of-bia']);
      await expect(open(CARLA)).rejects.toThrow('xAI cannot be used: XAI_API_KEY is not set.');
      ana.speech.realtimeFailed(MODEL, new Error('It is down.'));
      expect((await registry.of(ANA)).isRealtimeResting(MODEL)).toBe(true);
      expect((await registry.of(BIA)).isRealtimeResting(MODEL)).toBe(false);
      await Promise.all([ana.close(), bia.close()]);
    });
  });

  it('are looked up once for ten seconds, and stay what they were while they cannot be', async () => {
    bring(ANA, 'elevenlabs', 'key-of-ana');
    const lookUps = jest.fn(async (userId: number) => {
      if (lookUps.mock.calls.length > 1) throw new Error('the database is away');
      return stored.get(userId) ?? [];
    });
    registry.readAccountKeysFrom({ findSpeechKeys: lookUps, speechKeyTurnedOut: () => {} });
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    try {
      const speech = await registry.of(ANA);
      expect(await registry.of(ANA)).toBe(speech);
      expect(lookUps).toHaveBeenCalledTimes(1);
      now.mockReturnValue(1_000_000 + 10_000);
      expect(await registry.of(ANA)).toBe(speech);
      expect(lookUps).toHaveBeenCalledTimes(2);
      await expect(registry.of(BIA)).rejects.toThrow('the database is away');
    } finally {
      now.mockRestore();
    }
  });
});
