import { APIConnectionError, type APIConnectOptions, tts } from '@livekit/agents';
import { type AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { within } from './deadline.js';
import { watchFailure } from './stream-failure.js';

/** Every voice comes out at this rate. */
export const SYNTHESIZER_RATE_HZ = 24_000;

/** No voice says a text so slowly: what is longer is not the text. */
const MOST_MS = { ofAny: 5_000, ofCharacter: 400 };

/** A voice that does not stop. */
export class EndlessVoiceError extends Error {
  override readonly name = 'EndlessVoiceError';
}

export type SpokenFrames = AsyncGenerator<AudioFrame, void, undefined>;

export interface SpeakingRules {
  readonly signal: AbortSignal;
  readonly firstSoundMs: number;
  readonly gapMs: number;
  readonly connect: APIConnectOptions;
}

/**
 * Says one sentence with one provider, within deadlines.
 *
 * @returns mono frames at the common rate, as they come
 * @throws the error of the provider
 * @throws SilentProviderError past a deadline
 * @throws APIConnectionError when no sound came
 * @throws EndlessVoiceError when there is more of it than the sentence can be
 */
export async function* speakWith(voice: tts.TTS, text: string, rules: SpeakingRules): SpokenFrames {
  const { stream, failure } = startStream(voice, text, rules);
  const resampler =
    voice.sampleRate === SYNTHESIZER_RATE_HZ
      ? null
      : new AudioResampler(voice.sampleRate, SYNTHESIZER_RATE_HZ, 1);
  const stop = () => stream.close();
  rules.signal.addEventListener('abort', stop, { once: true });
  let isSilent = true;
  let leftMs = MOST_MS.ofAny + MOST_MS.ofCharacter * text.length;
  try {
    for (;;) {
      const waitMs = isSilent ? rules.firstSoundMs : rules.gapMs;
      const { done, value } = await within(stream.next(), waitMs, isSilent ? 'A first sound' : 'More sound');
      if (done) break;
      if (typeof value === 'symbol') continue;
      isSilent = false;
      leftMs -= (value.frame.samplesPerChannel / value.frame.sampleRate) * 1_000;
      if (leftMs < 0) throw new EndlessVoiceError('The provider does not stop speaking');
      if (resampler) yield* resampler.push(value.frame);
      else yield value.frame;
    }
    if (resampler && !isSilent) yield* resampler.flush();
    await Promise.resolve();
    if (rules.signal.aborted) return;
    const error = failure();
    if (error) throw error;
    if (isSilent) throw new APIConnectionError({ message: 'The provider ended without a sound' });
  } finally {
    rules.signal.removeEventListener('abort', stop);
    stream.close();
    resampler?.close();
  }
}

function startStream(voice: tts.TTS, text: string, { connect, signal }: SpeakingRules) {
  if (!voice.capabilities.streaming) {
    const stream = voice.synthesize(text, connect, signal);
    return { stream, failure: watchFailure(stream) };
  }
  const stream = voice.stream({ connOptions: connect });
  const failure = watchFailure(stream);
  stream.pushText(text);
  stream.endInput();
  return { stream, failure };
}
