import { stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ensureAgentsLogger } from '../../../src/providers/speech/agents-logger.js';
import type { SpeechProviderRegistry } from '../../../src/providers/speech/speech-provider-registry.js';

/** Says a text as a model streams it; how much sound came, of whom, and how long it took. */
export async function say(voice: tts.TTS, text: string) {
  const began = performance.now();
  const stream = voice.stream();
  for (const word of text.split(/(?<= )/)) stream.pushText(word);
  stream.endInput();
  let seconds = 0;
  let firstSoundMs = Infinity;
  for await (const audio of stream) {
    if (typeof audio === 'symbol') continue;
    if (seconds === 0) firstSoundMs = performance.now() - began;
    seconds += audio.frame.samplesPerChannel / audio.frame.sampleRate;
  }
  await voice.close();
  return { seconds, firstSoundMs, provider: voice.provider };
}

const RATE = 16_000;

export function sound(seconds: number, isLoud: boolean): AudioFrame[] {
  return Array.from({ length: Math.round(seconds * 50) }, () => {
    const data = Int16Array.from({ length: RATE / 50 }, () => (isLoud ? (Math.random() - 0.5) * 20_000 : 0));
    return new AudioFrame(data, RATE, 1, data.length);
  });
}

/** Real speech, as our own detector listens for it. */
export async function spoken(registry: SpeechProviderRegistry, text: string): Promise<AudioFrame[]> {
  ensureAgentsLogger();
  const voice = await registry.sandbox.synthesizer({
    provider: 'sandbox',
    voiceCode: '',
    language: 'pt-BR',
    gender: 'male',
  });
  const frames: AudioFrame[] = [];
  for await (const { frame } of voice.synthesize(text)) frames.push(frame);
  await voice.close();
  return frames;
}

/** Pushes loud audio into a stream, five times as fast as a call does. */
export async function speak(stream: stt.SpeechStream, seconds: number): Promise<void> {
  for (const frame of sound(seconds, true)) {
    stream.pushFrame(frame);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

/** Feeds frames in real time, as a call does. */
export async function hear(
  ears: stt.STT,
  frames: readonly AudioFrame[],
  untilWords: number,
  timeoutMs = 20_000,
) {
  const stream = ears.stream();
  const finals: string[] = [];
  const interims: string[] = [];
  const reading = (async () => {
    for await (const event of stream) {
      const text = event.alternatives?.[0].text ?? '';
      if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) finals.push(text);
      if (event.type === stt.SpeechEventType.INTERIM_TRANSCRIPT) interims.push(text);
    }
  })();
  const deadline = performance.now() + timeoutMs;
  for (const frame of frames) {
    stream.pushFrame(frame);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  while (finals.length < untilWords && performance.now() < deadline) {
    for (const frame of sound(0.1, false)) stream.pushFrame(frame);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stream.close();
  await reading;
  await ears.close();
  return { finals, interims, provider: ears.provider };
}
