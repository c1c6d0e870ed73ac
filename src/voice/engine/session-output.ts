import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { Resampler } from '@prosa/audio';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { SampleSource } from '../audio/sample-source.js';
import { asksBetween } from '../hearing/questions.js';
import { SpokenWords } from './spoken-words.js';

/** What waits to be heard at most; a model that talks for longer is cut there. */
const MAX_WAITING_SECONDS = 300;

/** One stretch of speech, as it was heard. */
export interface HeardSpeech {
  readonly text: string;
  /** Of `performance.now()`, as is `endedAtMs`. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly interrupted: boolean;
}

export interface SessionOutputListener {
  /** Speech waits to be heard, whose sound is being made. */
  onQueued(): void;
  /** The first sound of a stretch of speech goes out. */
  onStarted(): void;
  /** The part of current speech that has been heard: after a second, after two, after four. */
  onProgress(speech: HeardSpeech): void;
  onFinished(speech: HeardSpeech): void;
  /** A stretch is over, heard or not. @param isLast no other one waits */
  onOver(isLast: boolean): void;
  /** What is under way to the customer is to be dropped. */
  onSilenced(): void;
}

interface Stretch {
  readonly samples: SampleQueue;
  words: SpokenWords | null;
  madeSamples: number;
  playedSamples: number;
  /** All of its sound has been made. */
  isWhole: boolean;
  startedAtMs: number | null;
  /** When it is time to tell of it. */
  nextProgress: number;
}

/** A stretch that is over, and when it ended. */
interface SaidStretch {
  readonly stretch: Stretch;
  /** Of `performance.now()`. */
  readonly endedAtMs: number;
}

/** Where a session's voice goes: it is kept here, and played by the mixer of a line as the line needs it. */
export class SessionOutput extends voice.AudioOutput implements SampleSource {
  private readonly stretches: Stretch[] = [];
  private open: Stretch | null = null;
  private nextWords: SpokenWords | null = null;
  private resampler: Resampler | null = null;
  private isPaused = false;
  private said: SaidStretch | null = null;
  /** Ended a moment ago. */
  private flushed: Stretch | null = null;

  constructor(
    private readonly lineRateHz: number,
    private readonly listener: SessionOutputListener,
  ) {
    // No rate is promised to the engine: its own resampler would hold back a tenth of a second.
    super(undefined, undefined, { pause: true });
  }

  get isSounding(): boolean {
    return !this.isPaused && this.isUnderWay;
  }

  /** Whether the customer has heard the beginning of words of which there are more. */
  get isUnderWay(): boolean {
    return this.stretches.some(({ startedAtMs }) => startedAtMs !== null);
  }

  /** Whether a question is being asked, or was asked within the last milliseconds. */
  asksWithin(ms: number): boolean {
    const current = this.stretches.find(({ startedAtMs }) => startedAtMs !== null);
    if (current && this.asks(current, ms / 1_000)) return true;
    const { said } = this;
    const saidMs = said ? ms - (performance.now() - said.endedAtMs) : 0;
    return said !== null && saidMs > 0 && this.asks(said.stretch, saidMs / 1_000);
  }

  /** The words of the speech whose sound comes next, or has just begun to come. */
  wordsOf(words: SpokenWords): void {
    const last = this.stretches.at(-1);
    if (last && last.words === null) last.words = words;
    else this.nextWords = words;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    const stretch = this.openStretch();
    if (stretch.madeSamples >= MAX_WAITING_SECONDS * this.lineRateHz) return;
    if (this.resampler?.fromHz !== frame.sampleRate)
      this.resampler = new Resampler(frame.sampleRate, this.lineRateHz);
    const samples = this.resampler.process(mono(frame));
    stretch.samples.push(samples);
    stretch.madeSamples += samples.length;
  }

  override flush(): void {
    super.flush();
    this.flushed = this.open;
    queueMicrotask(() => (this.flushed = null));
    if (this.open) this.open.isWhole = true;
    this.open = null;
    this.resampler = null;
  }

  override clearBuffer(): void {
    this.isPaused = false;
    if (this.stretches.length === 0) return;
    this.listener.onSilenced();
    this.open = null;
    this.resampler = null;
    // What the engine drops it ends in the same breath: the rest of its sound was never made.
    if (this.flushed) this.flushed.isWhole = false;
    for (const stretch of this.stretches.splice(0)) this.finish(stretch, true);
    this.listener.onOver(true);
  }

  /** The engine asks for it again and again while a customer speaks. */
  override pause(): void {
    if (this.isPaused) return;
    const wasSounding = this.isSounding;
    this.isPaused = true;
    if (wasSounding) this.listener.onSilenced();
  }

  override resume(): void {
    this.isPaused = false;
  }

  read(frame: Int16Array): number {
    let filled = 0;
    for (let stretch = this.stretches[0]; stretch && !this.isPaused; stretch = this.stretches[0]) {
      const count = stretch.samples.read(frame, filled);
      if (count > 0) this.start(stretch);
      stretch.playedSamples += count;
      filled += count;
      if (!stretch.isWhole || stretch.samples.length > 0) {
        this.progress(stretch);
        break;
      }
      this.stretches.shift();
      this.finish(stretch, false);
      this.listener.onOver(this.stretches.length === 0);
    }
    return filled;
  }

  private openStretch(): Stretch {
    if (this.open) return this.open;
    const words = this.nextWords;
    this.nextWords = null;
    this.open = {
      samples: new SampleQueue(),
      words,
      madeSamples: 0,
      playedSamples: 0,
      isWhole: false,
      startedAtMs: null,
      nextProgress: this.lineRateHz,
    };
    this.stretches.push(this.open);
    this.listener.onQueued();
    return this.open;
  }

  private progress(stretch: Stretch): void {
    if (stretch.playedSamples < stretch.nextProgress) return;
    stretch.nextProgress *= 2;
    this.listener.onProgress(this.heardOf(stretch, false));
  }

  private start(stretch: Stretch): void {
    if (stretch.startedAtMs !== null) return;
    stretch.startedAtMs = performance.now();
    this.listener.onStarted();
    this.onPlaybackStarted(Date.now());
  }

  private asks({ words, playedSamples, madeSamples, isWhole }: Stretch, seconds: number): boolean {
    const playedSeconds = playedSamples / this.lineRateHz;
    const heardAt = (atSeconds: number) =>
      words?.heard(atSeconds, madeSamples / this.lineRateHz, isWhole).length ?? 0;
    return asksBetween(words?.text ?? '', heardAt(playedSeconds - seconds), heardAt(playedSeconds));
  }

  private finish(stretch: Stretch, interrupted: boolean): void {
    if (stretch.startedAtMs !== null) this.said = { stretch, endedAtMs: performance.now() };
    const speech = this.heardOf(stretch, interrupted);
    if (stretch.startedAtMs !== null) this.listener.onFinished(speech);
    this.onPlaybackFinished({
      playbackPosition: stretch.playedSamples / this.lineRateHz,
      interrupted,
      ...(interrupted ? { synchronizedTranscript: speech.text } : {}),
    });
  }

  private heardOf(stretch: Stretch, interrupted: boolean): HeardSpeech {
    const { words, madeSamples, playedSamples, isWhole, startedAtMs } = stretch;
    const nowMs = performance.now();
    const text = words?.heard(playedSamples / this.lineRateHz, madeSamples / this.lineRateHz, isWhole) ?? '';
    const isCut = interrupted || words?.areCutOff === true;
    return { text, startedAtMs: startedAtMs ?? nowMs, endedAtMs: nowMs, interrupted: isCut };
  }
}

/** Voices are mono; should one not be, its first channel is heard. */
function mono({ data, channels }: AudioFrame): Int16Array {
  return channels === 1 ? data : data.filter((_, index) => index % channels === 0);
}
