import {
  APIConnectionError,
  type APIConnectOptions,
  type AudioBuffer,
  DEFAULT_API_CONNECT_OPTIONS,
  stt,
  type VAD,
} from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { type Candidate, type Candidates, tellableReason } from './candidates.js';
import { within } from './deadline.js';
import { type Ears, FallbackSpeechStream, type RecognizerDeadlines } from './fallback-speech-stream.js';
import { hear } from './hear.js';

export const RECOGNIZER_DEADLINES: RecognizerDeadlines = {
  firstWordMs: 2_500,
  utteranceMs: 6_000,
  openMs: 20_000,
};

/** The last provider is waited for longer. */
const PATIENCE_WITH_LAST = 3;

/** Whether no provider was there yet, so that words which do not come say nothing about the ears. */
export function isLoading(ears: stt.STT | null): boolean {
  return ears instanceof FallbackRecognizer && ears.isLoading;
}

/**
 * Ears that go on when their provider fails. One that breaks the connection is replaced at once and what was said since the
 * last words is passed to the next one. One that keeps silent about what our own detector takes for speech is checked: the
 * next provider hears the same, and takes over when it understands something. Otherwise a provider that has sent nothing
 * at all is connected anew. So neither a dead line nor a connection that never answers makes an assistant deaf, and a
 * cough does not count as a failure.
 */
export class FallbackRecognizer extends stt.STT implements Ears {
  readonly label = 'prosa.FallbackRecognizer';
  private active: stt.STT | null = null;

  constructor(
    readonly candidates: Candidates<stt.STT>,
    readonly vad: VAD,
    readonly deadlines: RecognizerDeadlines = RECOGNIZER_DEADLINES,
  ) {
    super({ streaming: true, interimResults: true, alignedTranscript: false });
    // An emitter without a listener throws; who wants to know adds another one.
    this.on('error', () => {});
  }

  override get provider(): string {
    return this.active?.provider ?? this.candidates.current.provider;
  }

  override get model(): string {
    return this.active?.model ?? 'unknown';
  }

  /** Until the first provider is ready. Audio that arrives before is kept, and passed to it. */
  get isLoading(): boolean {
    return this.active === null;
  }

  stream(options?: { connOptions?: APIConnectOptions }): stt.SpeechStream {
    return new FallbackSpeechStream(this, options?.connOptions ?? DEFAULT_API_CONNECT_OPTIONS);
  }

  override async close(): Promise<void> {
    await this.candidates.close();
  }

  async open(candidate: Candidate<stt.STT>): Promise<stt.STT> {
    const openMs = this.deadlines.openMs * (this.candidates.next ? 1 : PATIENCE_WITH_LAST);
    const recognizer = await within(this.candidates.open(candidate), openMs, 'The recognizer');
    if (candidate === this.candidates.current) this.active = recognizer;
    return recognizer;
  }

  protected async _recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    const frames = Array.isArray(buffer) ? buffer : [buffer];
    return this.understand(frames, signal ?? new AbortController().signal);
  }

  /**
   * What an utterance says, by the current provider or those after it.
   *
   * @throws APIConnectionError when every provider failed
   */
  async understand(frames: readonly AudioFrame[], signal: AbortSignal): Promise<stt.SpeechEvent> {
    for (;;) {
      const candidate = this.candidates.current;
      try {
        const recognizer = await this.open(candidate);
        const patience = this.candidates.next ? 1 : PATIENCE_WITH_LAST;
        const timeoutMs = this.deadlines.utteranceMs * patience;
        return await hear(recognizer, frames, { signal, timeoutMs });
      } catch (error) {
        if (signal.aborted) throw error;
        const reason = tellableReason(error, candidate.own);
        if (!this.candidates.leave(candidate, error)) {
          throw new APIConnectionError({ message: `No provider could listen: ${reason}` });
        }
      }
    }
  }
}
