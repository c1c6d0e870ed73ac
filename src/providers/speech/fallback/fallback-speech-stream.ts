import {
  APIConnectionError,
  type APIConnectOptions,
  stt,
  type VAD,
  type VADEvent,
  VADEventType,
} from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { Logger } from '@nestjs/common';
import { type Candidate, type Candidates, tellableReason } from './candidates.js';
import { SilentProviderError } from './deadline.js';
import { hear, RECOGNIZER_RATE_HZ, RETRIES } from './hear.js';
import { SpeechHistory } from './speech-history.js';
import { withWords } from './with-words.js';

export interface RecognizerDeadlines {
  /** From the end of what a customer said to any word of a provider that listens all the time. */
  readonly firstWordMs: number;
  /** For one whole utterance. */
  readonly utteranceMs: number;
  /** For a provider's object to be there. */
  readonly openMs: number;
}

/** The recognizer that a stream belongs to. */
export interface Ears extends stt.STT {
  readonly candidates: Candidates<stt.STT>;
  readonly vad: VAD;
  readonly deadlines: RecognizerDeadlines;
  open(candidate: Candidate<stt.STT>): Promise<stt.STT>;
  understand(frames: readonly AudioFrame[], signal: AbortSignal): Promise<stt.SpeechEvent>;
}

/** How often the last provider left is tried anew before the stream gives up, each time half a second later. */
const LAST_TRIES = 5;
const LAST_TRY_MS = 500;

/** The audio without a transcript that the next provider gets. */
const RETOLD_MS = 15_000;
/** An utterance longer than this loses its beginning. */
const HISTORY_MS = 60_000;
/** What is taken along before the detector found speech. */
const LEAD_MS = 300;
/** After the last audio of all, so that the detector finds the end of what was being said. */
const FINAL_SILENCE_MS = 1_000;
/** Samples the detector looks at together. */
const DETECTOR_WINDOW = 512;

/** One call's audio on its way to the current recognizer; see `FallbackRecognizer`. */
export class FallbackSpeechStream extends stt.SpeechStream {
  readonly label = 'prosa.FallbackSpeechStream';
  private child: stt.SpeechStream | null = null;
  private readonly history = new SpeechHistory(RECOGNIZER_RATE_HZ, HISTORY_MS);
  /** Sample up to which everything was understood. */
  private understoodUntil = 0;
  private finalWordsAtMs = 0;
  /** When the current provider last sent anything. */
  private childEventAtMs = 0;
  /** Closed to connect anew to the same provider. */
  private deadChild: stt.SpeechStream | null = null;
  private speechBeganAtMs = 0;
  private speechBegan = 0;
  private inputEnded = false;
  private readonly listenAgain = new Set<() => void>();
  private readonly log = new Logger('Speech');

  constructor(
    private readonly ears: Ears,
    connOptions: APIConnectOptions,
  ) {
    super(ears, RECOGNIZER_RATE_HZ, connOptions);
  }

  protected async run(): Promise<void> {
    const segments = this.ears.vad.stream();
    this.abortSignal.addEventListener('abort', () => this.wake(), { once: true });
    try {
      await Promise.all([this.feed(segments), this.followSpeech(segments), this.listen()]);
    } finally {
      segments.close();
      this.child?.close();
    }
  }

  private async feed(segments: ReturnType<VAD['stream']>): Promise<void> {
    for await (const item of this.input) {
      if (this.abortSignal.aborted) break;
      if (typeof item === 'symbol') {
        this.onChild((child) => child.flush());
        continue;
      }
      const frame = owned(item);
      this.history.push(frame);
      segments.pushFrame(frame);
      this.onChild((child) => child.pushFrame(frame));
    }
    segments.pushFrame(silence(FINAL_SILENCE_MS));
    this.inputEnded = true;
    this.onChild((child) => child.endInput());
    this.wake();
  }

  /** A child that has ended refuses everything; `listen` sees its end by itself. */
  private onChild(act: (child: stt.SpeechStream) => void): void {
    if (!this.child) return;
    try {
      act(this.child);
    } catch {
      this.child = null;
    }
  }

  /** Runs the current provider's stream, and the next one's when it ends by itself, until the call's audio ends. */
  private async listen(): Promise<void> {
    let triesOfLast = 0;
    while (!this.abortSignal.aborted && !this.inputEnded) {
      const candidate = this.ears.candidates.current;
      try {
        const recognizer = await this.ears.open(candidate);
        if (this.abortSignal.aborted) return;
        if (recognizer.capabilities.streaming) await this.relay(candidate, recognizer);
        else await this.changed(candidate);
      } catch (error) {
        if (this.abortSignal.aborted) return;
        const reason = tellableReason(error, candidate.own);
        if (this.ears.candidates.leave(candidate, error)) continue;
        // One that does not load was waited for long enough.
        triesOfLast += error instanceof SilentProviderError ? LAST_TRIES + 1 : 1;
        if (triesOfLast > LAST_TRIES) throw deaf(reason);
        await this.pause(LAST_TRY_MS * triesOfLast);
      }
    }
  }

  private async relay(candidate: Candidate<stt.STT>, recognizer: stt.STT): Promise<void> {
    const child = recognizer.stream({ connOptions: RETRIES });
    const errors: Error[] = [];
    const onError = ({ error, recoverable }: { error: Error; recoverable: boolean }) => {
      if (!recoverable) errors.push(error);
    };
    recognizer.on('error', onError);
    const leave = () => {
      if (this.abortSignal.aborted || this.ears.candidates.current !== candidate) child.close();
    };
    this.listenAgain.add(leave);
    const retold = Math.max(this.understoodUntil, this.history.end - this.history.samples(RETOLD_MS));
    for (const frame of this.history.slice(retold)) child.pushFrame(frame);
    this.child = child;
    try {
      for await (const event of child) {
        // The library reports the usage by itself.
        if (event.type !== stt.SpeechEventType.RECOGNITION_USAGE) this.childEventAtMs = performance.now();
        this.emit(withWords(event));
      }
    } finally {
      this.listenAgain.delete(leave);
      recognizer.off('error', onError);
      if (this.child === child) this.child = null;
      child.close();
    }
    if (child === this.deadChild) return;
    const isOver = this.abortSignal.aborted || this.ears.candidates.current !== candidate || this.inputEnded;
    if (!isOver) throw errors[0] ?? new APIConnectionError({ message: 'The provider ended its stream' });
  }

  private emit(event: stt.SpeechEvent): void {
    // Interim words are no answer: the rest of a broken connection never comes.
    if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT && event.alternatives?.[0].text) {
      this.finalWordsAtMs = performance.now();
      this.understoodUntil = this.history.end;
    }
    if (!this.queue.closed) this.queue.put(event);
  }

  private async followSpeech(segments: ReturnType<VAD['stream']>): Promise<void> {
    for await (const event of segments) {
      if (this.abortSignal.aborted) return;
      if (event.type === VADEventType.START_OF_SPEECH) {
        this.speechBeganAtMs = performance.now() - event.speechDuration;
        this.speechBegan = event.samplesIndex - this.history.samples(event.speechDuration + LEAD_MS);
        if (!this.child) this.emit({ type: stt.SpeechEventType.START_OF_SPEECH });
      } else if (event.type === VADEventType.END_OF_SPEECH) {
        if (this.child) void this.checkUnderstood(event);
        else await this.understandWhole(event);
      }
      if (this.inputEnded && event.samplesIndex + DETECTOR_WINDOW > this.history.end) return;
    }
  }

  private utterance({ samplesIndex }: VADEvent): AudioFrame[] {
    return this.history.slice(this.speechBegan, samplesIndex);
  }

  /** With a provider that wants whole utterances, or while none is connected. */
  private async understandWhole(speech: VADEvent): Promise<void> {
    const speechEndTime = Date.now() - speech.silenceDuration - speech.inferenceDuration;
    this.emit({ type: stt.SpeechEventType.END_OF_SPEECH, speechEndTime });
    try {
      const event = await this.ears.understand(this.utterance(speech), this.abortSignal);
      if (event.alternatives?.[0].text) this.emit({ ...event, speechEndTime });
    } catch (error) {
      // One utterance is lost; the next one is tried again. Each failed provider was reported.
      if (!this.abortSignal.aborted) this.log.error({ msg: 'An utterance was not recognised', err: error });
    }
    this.understoodUntil = speech.samplesIndex;
    this.wake();
  }

  /** Whether the provider that listens all the time said something about what was just spoken; see the class. */
  private async checkUnderstood(speech: VADEvent): Promise<void> {
    const { candidates, deadlines } = this.ears;
    const candidate = candidates.current;
    const { child } = this;
    const began = this.speechBeganAtMs;
    const utterance = this.utterance(speech);
    await this.pause(deadlines.firstWordMs);
    const isMoot =
      this.abortSignal.aborted || candidates.current !== candidate || this.finalWordsAtMs >= began;
    if (isMoot) return;
    const other = candidates.next && (await this.understoodBy(candidates.next, utterance));
    if (this.abortSignal.aborted || this.finalWordsAtMs >= began) return;
    if (other) {
      candidates.leave(candidate, 'said nothing about speech that another provider understood');
      this.emit({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: other });
      this.wake();
    } else if (child === this.child && this.childEventAtMs < began) {
      // The plugins of Deepgram and xAI (1.9.0) go on sending audio to a connection that is closed.
      this.log.warn({ msg: 'Silent speech provider is connected anew', provider: candidate.provider });
      this.deadChild = child;
      child?.close();
    }
  }

  /** What the next provider understands; null where that is nothing. Never fails. */
  private async understoodBy(
    candidate: Candidate<stt.STT>,
    utterance: readonly AudioFrame[],
  ): Promise<stt.SpeechEvent['alternatives'] | null> {
    try {
      const recognizer = await this.ears.open(candidate);
      const { alternatives } = await hear(recognizer, utterance, {
        signal: this.abortSignal,
        timeoutMs: this.ears.deadlines.utteranceMs,
      });
      return alternatives?.[0].text ? alternatives : null;
    } catch (error) {
      const reason = tellableReason(error, candidate.own);
      this.log.debug({ msg: 'No second opinion', reason });
      return null;
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const signal = this.abortSignal;
      function done() {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Waits until another provider is to listen, or there is nothing more to hear. */
  private changed(candidate: Candidate<stt.STT>): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        const isSame = this.ears.candidates.current === candidate;
        if (isSame && !this.inputEnded && !this.abortSignal.aborted) return;
        this.listenAgain.delete(check);
        resolve();
      };
      this.listenAgain.add(check);
      check();
    });
  }

  private wake(): void {
    for (const check of this.listenAgain) check();
  }
}

/** Some providers send a frame's whole buffer: it must hold the frame alone. */
function owned(frame: AudioFrame): AudioFrame {
  const { data, sampleRate, channels, samplesPerChannel } = frame;
  if (data.byteLength === data.buffer.byteLength) return frame;
  return new AudioFrame(data.slice(), sampleRate, channels, samplesPerChannel);
}

function silence(ms: number): AudioFrame {
  const samples = (RECOGNIZER_RATE_HZ * ms) / 1_000;
  return new AudioFrame(new Int16Array(samples), RECOGNIZER_RATE_HZ, 1, samples);
}

function deaf(reason: string): APIConnectionError {
  // Not to be retried by the library: it would read the same audio twice.
  return new APIConnectionError({
    message: `No provider could listen: ${reason}`,
    options: { retryable: false },
  });
}
