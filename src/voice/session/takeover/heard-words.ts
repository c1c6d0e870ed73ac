import { stt } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { Resampler } from '@prosa/audio';
import { SampleQueue } from '../../../common/audio/sample-queue.js';
import { SpeechDetector } from '../../hearing/speech-detector.js';
import { ENGINE_RATE_HZ } from '../../line/voice-line.js';

const { END_OF_SPEECH, FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT, START_OF_SPEECH } = stt.SpeechEventType;

/** Words that come within this time after others are part of the same turn. */
const PAUSE_MS = 700;
/** Sound waits for the recognizer for so long; what comes later than that, the oldest of it is lost. */
const MAX_WAITING_MS = 5_000;
/** At the end, the last words are waited for so long. */
const LAST_WORDS_MS = 1_000;

export interface HeardWordsListener {
  /** Of the call, in milliseconds since the answer. */
  elapsedMs(): number;
  onSaid(text: string, startMs: number, endMs: number): void;
  onError(error: unknown): void;
}

/** Writes down what one side says during a takeover, by a recognizer of its own. */
export class HeardWords {
  private readonly waiting = new SampleQueue();
  private readonly resampler: Resampler;
  private readonly done: Promise<void>;
  private recognizer: stt.STT | null = null;
  private stream: stt.SpeechStream | null = null;
  private isClosed = false;
  private words: string[] = [];
  private startMs: number | null = null;
  private endMs = 0;
  private pause: NodeJS.Timeout | null = null;

  /**
   * @param open opens the recognizer, which is closed with the words
   * @param fromHz of what is pushed
   */
  constructor(
    open: () => Promise<stt.STT>,
    private readonly fromHz: number,
    private readonly listener: HeardWordsListener,
  ) {
    this.resampler = new Resampler(fromHz, ENGINE_RATE_HZ);
    this.done = this.run(open).catch((error: unknown) => {
      if (!this.isClosed) listener.onError(error);
    });
  }

  push(samples: Int16Array): void {
    if (this.isClosed) return;
    const heard = this.resampler.process(samples);
    if (this.stream) return hear(this.stream, heard);
    this.waiting.push(heard);
    const tooMany = this.waiting.length - (ENGINE_RATE_HZ * MAX_WAITING_MS) / 1_000;
    if (tooMany > 0) this.waiting.skip(tooMany);
  }

  /** Returns when the last words were reported, or within a second. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    // Recognizers write down what is followed by silence.
    this.push(new Int16Array(this.fromHz / 2));
    this.isClosed = true;
    try {
      this.stream?.endInput();
    } catch (error) {
      this.listener.onError(error);
    }
    await Promise.race([this.done, lastWords()]);
    this.report();
    this.stream?.close();
    await this.recognizer?.close().catch((error: unknown) => this.listener.onError(error));
  }

  private async run(open: () => Promise<stt.STT>): Promise<void> {
    const recognizer = await open();
    if (this.isClosed) return recognizer.close();
    this.recognizer = recognizer;
    // An error is thrown by the stream as well.
    recognizer.on('error', () => undefined);
    const { streaming } = recognizer.capabilities;
    const streamed = streaming
      ? recognizer
      : new stt.StreamAdapter(recognizer, new SpeechDetector((event) => event));
    const stream = streamed.stream();
    this.stream = stream;
    const waiting = new Int16Array(this.waiting.length);
    this.waiting.read(waiting);
    hear(stream, waiting);
    for await (const event of stream) this.heard(event);
  }

  private heard({ type, alternatives, speechEndTime }: stt.SpeechEvent): void {
    const { listener } = this;
    if (type === START_OF_SPEECH || type === INTERIM_TRANSCRIPT) {
      this.startMs ??= listener.elapsedMs();
      if (this.pause) clearTimeout(this.pause);
    } else if (type === FINAL_TRANSCRIPT) {
      const text = alternatives?.[0].text.trim() ?? '';
      if (text === '') return;
      this.words.push(text);
      const sinceMs = speechEndTime === undefined ? 0 : Math.max(Date.now() - speechEndTime, 0);
      this.endMs = Math.max(listener.elapsedMs() - sinceMs, this.startMs ?? 0);
    }
    if (type === FINAL_TRANSCRIPT || type === END_OF_SPEECH) this.awaitMore();
  }

  private awaitMore(): void {
    if (this.pause) clearTimeout(this.pause);
    this.pause = setTimeout(() => this.report(), PAUSE_MS);
    this.pause.unref();
  }

  private report(): void {
    if (this.pause) clearTimeout(this.pause);
    const text = this.words.splice(0).join(' ');
    const { startMs, endMs } = this;
    this.startMs = null;
    if (text !== '') this.listener.onSaid(text, startMs ?? endMs, endMs);
  }
}

function hear(stream: stt.SpeechStream, samples: Int16Array): void {
  if (samples.length > 0) stream.pushFrame(new AudioFrame(samples, ENGINE_RATE_HZ, 1, samples.length));
}

function lastWords(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LAST_WORDS_MS).unref();
  });
}
