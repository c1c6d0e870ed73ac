import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, stt } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { joined } from '../sound-frames.js';
import { within } from './deadline.js';
import { withWords } from './with-words.js';

/** What recognizers are given. */
export const RECOGNIZER_RATE_HZ = 16_000;

/** Of a connection: tried twice, quickly. Afterwards the next provider is asked. */
export const RETRIES: APIConnectOptions = {
  ...DEFAULT_API_CONNECT_OPTIONS,
  maxRetry: 1,
  retryIntervalMs: 500,
  timeoutMs: 4_000,
};

/** So that a provider which finds the end of speech itself finds one. */
const TRAILING_SILENCE_MS = 1_000;
const FRAME_MS = 20;

/**
 * What an utterance says, by one provider, whichever way it wants to hear it.
 *
 * @param frames mono PCM16 of one rate
 * @returns a final transcript; its text is empty when nothing was understood
 * @throws the error of the provider; SilentProviderError past the deadline
 */
export async function hear(
  recognizer: stt.STT,
  frames: readonly AudioFrame[],
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<stt.SpeechEvent> {
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const hearing = recognizer.capabilities.streaming
      ? hearStream(recognizer, frames, stop.signal)
      : recognizer.recognize(joined(frames), stop.signal);
    return withWords(await within(hearing, timeoutMs, 'Words'));
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

async function hearStream(
  recognizer: stt.STT,
  frames: readonly AudioFrame[],
  signal: AbortSignal,
): Promise<stt.SpeechEvent> {
  const stream = recognizer.stream({ connOptions: RETRIES });
  const errors: Error[] = [];
  const onError = ({ error }: { error: Error }) => errors.push(error);
  recognizer.on('error', onError);
  const stop = () => stream.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (const frame of [...frames, ...silenceAfter(frames)]) stream.pushFrame(frame);
    stream.flush();
    for await (const event of stream) {
      if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT && event.alternatives?.[0].text) return event;
    }
    throw errors[0] ?? new Error('The provider ended its stream without a transcript');
  } finally {
    signal.removeEventListener('abort', stop);
    recognizer.off('error', onError);
    stream.close();
  }
}

function silenceAfter(frames: readonly AudioFrame[]): AudioFrame[] {
  const sampleRate = frames[0]?.sampleRate ?? RECOGNIZER_RATE_HZ;
  const samples = (sampleRate * FRAME_MS) / 1_000;
  return Array.from(
    { length: TRAILING_SILENCE_MS / FRAME_MS },
    () => new AudioFrame(new Int16Array(samples), sampleRate, 1, samples),
  );
}
