import type { tts } from '@livekit/agents';
import { LRUCache } from 'lru-cache';
import { speakerOf } from '../../providers/speech/fallback/fallback-synthesizer.js';
import { spokenText } from '../../common/spoken-text/spoken-text.js';
import { Resampler } from '@prosa/audio';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { RenderedSpeech } from '../agent/speech-services.js';

/** Longer than any phrase; what does not end is cut. */
const MAX_SECONDS = 30;

/** Of all calls: the same phrases are said again and again. A filler has about 16 to 96 kB, a sentence of a message up to 2 MB. */
const sounds = new LRUCache<string, Promise<Int16Array>>({ max: 200, maxSize: 64 * 1_024 ** 2 });
/** Of a sound that is being rendered, in place of its bytes. */
const UNKNOWN_SIZE = 1;

/** Names a voice as it is set, for `phraseSound`. */
export function nameOfVoice(
  { voice, stability, similarity, speed, emotion }: VoiceSettings,
  locale: string | undefined,
): string {
  return JSON.stringify([voice, stability, similarity, speed, emotion, locale]);
}

/**
 * The sound of a short phrase, rendered once for a voice.
 *
 * @param voice names the voice and how it is set
 * @throws the error of the voice
 */
export async function phraseSound(
  voice: tts.TTS,
  name: string,
  phrase: string,
  toHz: number,
): Promise<Int16Array> {
  const speaker = speakerOf(voice);
  const key = JSON.stringify([speaker, name, phrase, toHz]);
  const known = sounds.get(key);
  if (known) return known;
  const sound = render(voice, phrase).then(({ samples, sampleRateHz }) =>
    new Resampler(sampleRateHz, toHz).process(samples),
  );
  sounds.set(key, sound, { size: UNKNOWN_SIZE });
  try {
    const samples = await sound;
    sounds.set(key, sound, { size: Math.max(UNKNOWN_SIZE, samples.byteLength) });
    // Said by who stood in: with the next call the voice may be itself again.
    if (speakerOf(voice) !== speaker) sounds.delete(key);
    return samples;
  } catch (error) {
    sounds.delete(key);
    throw error;
  }
}

/**
 * Lets a voice say words ahead of their time.
 *
 * @param text may be Markdown; where there is nothing to say, the voice is not asked
 * @throws the error of the voice; Error when it made no sound. Silence is never taken for the words.
 */
export async function render(voice: tts.TTS, text: string, signal?: AbortSignal): Promise<RenderedSpeech> {
  const words = spokenText(text);
  const parts: Int16Array[] = [];
  let length = 0;
  let sampleRateHz = voice.sampleRate;
  if (words === '') return { text, samples: new Int16Array(), sampleRateHz };
  let failure: Error | null = null;
  const onError = ({ error, recoverable }: { error: Error; recoverable: boolean }) => {
    if (!recoverable) failure ??= error;
  };
  voice.on('error', onError);
  const stream = voice.synthesize(words);
  const stop = () => stream.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const { frame } of stream) {
      sampleRateHz = frame.sampleRate;
      parts.push(frame.data);
      length += frame.data.length;
      if (length > MAX_SECONDS * sampleRateHz) break;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    voice.off('error', onError);
    stream.close();
  }
  if (!signal?.aborted && (failure ?? length === 0)) throw failure ?? new Error('The voice made no sound');
  const samples = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { text, samples, sampleRateHz };
}
