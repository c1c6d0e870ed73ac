import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { stt } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { configFrom } from '../../config/config-from.js';
import { parseEnvironment } from '../../config/environment.js';
import { SpeechProviderRegistry } from './speech-provider-registry.js';

const registries: SpeechProviderRegistry[] = [];

function registryOf(env: Record<string, string> = {}): SpeechProviderRegistry {
  const { speech, security } = configFrom(parseEnvironment(env));
  const registry = new SpeechProviderRegistry(speech, security);
  registries.push(registry);
  return registry;
}

const VOICE = { provider: 'elevenlabs', voiceCode: 'v', language: 'pt-BR' };
const EARS = { provider: 'deepgram', languages: ['pt-BR'] };

afterEach(async () => {
  for (const registry of registries.splice(0)) await registry.onApplicationShutdown();
});

/** Frames of 20 ms as a call delivers them, with half a second of near silence before and a second after. */
function asHeard(frames: readonly AudioFrame[]): AudioFrame[] {
  const rate = frames[0]!.sampleRate;
  const silence = (count: number) =>
    Array.from({ length: count }, () => new AudioFrame(new Int16Array(rate / 50), rate, 1, rate / 50));
  return [...silence(25), ...frames, ...silence(50)];
}

async function framesOf(spoken: AsyncIterable<unknown>): Promise<AudioFrame[]> {
  const frames: AudioFrame[] = [];
  for await (const audio of spoken) {
    if (typeof audio !== 'symbol') frames.push((audio as { frame: AudioFrame }).frame);
  }
  return frames;
}

jest.setTimeout(90_000);

describe('SpeechProviderRegistry without a key', () => {
  it('offers the sandbox alone, and says why others cannot be used', () => {
    const registry = registryOf();
    expect(registry.installation.offered('synthesizer')).toEqual(['sandbox']);
    expect(registry.installation.offered('recognizer')).toEqual(['sandbox']);
    expect(registry.installation.offered('realtime')).toEqual([]);
    expect(registry.installation.canSpeak()).toBe(true);
    expect(registry.installation.whyNot('synthesizer', 'gladia')).toBe(
      'gladia cannot be used: this version has no adapter for it.',
    );
    expect(registry.installation.whyNot('realtime', 'sandbox')).toBe(
      'Sandbox cannot be used: it has no realtime.',
    );
  });

  it('lets the sandbox say what another provider was asked for, streamed and whole', async () => {
    const voice = await registryOf().installation.synthesizer(VOICE);
    expect(voice).toMatchObject({ sampleRate: 24_000, provider: 'sandbox' });
    const whole = await voice.synthesize('Olá, boa tarde.').collect();
    expect(whole.samplesPerChannel / whole.sampleRate).toBeGreaterThan(0.8);

    const stream = voice.stream();
    stream.pushText('Oi, sou eu sim. Pode falar, estou ');
    stream.pushText('ouvindo.');
    stream.endInput();
    const seconds = (await framesOf(stream)).reduce(
      (sum, frame) => sum + frame.samplesPerChannel / 24_000,
      0,
    );
    expect(seconds).toBeGreaterThan(2);
    await voice.close();
  });

  it('understands in a stream what the people of the sandbox say', async () => {
    const registry = registryOf();
    const person = await registry.installation.synthesizer({ ...VOICE, gender: 'male' });
    const ears = await registry.installation.recognizer(EARS);
    await registry.sandbox.ready();
    const heard: string[] = [];
    const stream = ears.stream();
    const listening = (async () => {
      for await (const event of stream) {
        if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) heard.push(event.alternatives![0].text);
      }
    })();
    for (const line of [
      'Pode falar, estou ouvindo.',
      'Moro na rua das flores.',
      'Quero falar com um atendente.',
    ]) {
      for (const frame of asHeard(await framesOf(person.synthesize(line)))) stream.pushFrame(frame);
    }
    stream.endInput();
    await listening;
    expect(heard).toEqual(['Pode falar, estou ouvindo.', 'Quero falar com um atendente.']);
    await Promise.all([person.close(), ears.close()]);
  });

  it('says which key a realtime model lacks', async () => {
    const realtime = { provider: 'sandbox', model: 'm', modality: 'audio', languages: ['pt-BR'] } as const;
    await expect(registryOf().installation.realtime(realtime)).rejects.toThrow(
      'Sandbox cannot be used: it has no realtime.',
    );
  });
});
