import { frameLength, toInt16 } from '@prosa/audio';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { SampleSource } from '../audio/sample-source.js';
import { lineClock, type LineClock } from '../../providers/telephony/line-clock.js';

/** The sending half of a leg. */
export interface LineOutput {
  readonly sampleRateHz: number;
  send(frame: Int16Array): void;
  /** Drops what the carrier still holds. */
  clear(): void;
}

export interface LineMixerOptions {
  readonly speech: SampleSource;

  /** Hears each frame as it goes out, and how many were given up before it. */
  readonly onFrame?: (frame: Int16Array, skipped: number) => void;
  readonly clock?: LineClock;
}

/**
 * What the customer hears: speech, the sound around it, tones and hold music, put together frame by frame at the pace of
 * the line. As nothing is sent ahead of its time, what is cut is silent with the next frame.
 */
export class LineMixer {
  private readonly tones = new SampleQueue();
  private readonly announcement = new SampleQueue();
  /** Wait for the announcement to be over. */
  private awaitsAnnouncement: (() => void)[] = [];
  private readonly signal = new SampleQueue();
  private holdMusic: SampleSource | null = null;
  private ambience: SampleSource | null = null;
  private onHold = false;
  private isMuted = false;
  private remove: (() => void) | null = null;
  /** Wait for the tones to be over. */
  private awaitsTones: (() => void)[] = [];

  constructor(
    private readonly line: LineOutput,
    private readonly options: LineMixerOptions,
  ) {}

  start(): void {
    this.remove ??= (this.options.clock ?? lineClock).add((skipped) => this.tick(skipped));
  }

  stop(): void {
    this.remove?.();
    this.remove = null;
    this.tonesAreOver();
    this.announcement.clear();
    this.announcementIsOver();
  }

  /** Drops tones, and the carrier's buffer of speech that was cut off. */
  clear(): void {
    this.tones.clear();
    this.tonesAreOver();
    this.line.clear();
  }

  /** What plays under the assistant all the time, also while it is silent. */
  surround(ambience: SampleSource | null): void {
    this.ambience = ambience;
  }

  /** Keypad tones, in turn; nothing else is heard with them. Returns when they are over, or cut. */
  async play(samples: Int16Array): Promise<void> {
    if (!this.remove || samples.length === 0) return;
    this.tones.push(samples);
    await new Promise<void>((resolve) => this.awaitsTones.push(resolve));
  }

  /**
   * Plays words in place of everything else, hold music included; what they interrupt goes on afterwards. They wait while the far end
   * does not listen, and nothing but `stop` cuts them. Returns when they are over.
   */
  async announce(samples: Int16Array): Promise<void> {
    if (!this.remove || samples.length === 0) return;
    this.announcement.push(samples);
    await new Promise<void>((resolve) => this.awaitsAnnouncement.push(resolve));
  }

  get isAnnouncing(): boolean {
    return this.announcement.length > 0;
  }

  /** Adds a sound to whatever is heard. */
  addSignal(samples: Int16Array): void {
    if (this.remove) this.signal.push(samples);
  }

  get isPlayingTones(): boolean {
    return this.tones.length > 0;
  }

  /** The customer hears music, or nothing, in place of the assistant and its surroundings. */
  hold(music: SampleSource | null): void {
    this.onHold = true;
    this.holdMusic = music;
  }

  /** Nothing is played while the far end does not listen; tones go on afterwards. */
  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
  }

  unhold(): void {
    this.onHold = false;
    this.holdMusic = null;
  }

  private tick(skipped: number): void {
    const frame = new Int16Array(frameLength(this.line.sampleRateHz));
    this.mix(frame);
    this.line.send(frame);
    this.options.onFrame?.(frame, skipped);
  }

  private mix(frame: Int16Array): void {
    if (this.isMuted) return this.signal.clear();
    this.mixVoices(frame);
    if (this.signal.length > 0) add(frame, this.signal);
  }

  private mixVoices(frame: Int16Array): void {
    if (this.announcement.length > 0) {
      this.announcement.read(frame);
      if (this.announcement.length === 0) this.announcementIsOver();
      return;
    }
    if (this.tones.length > 0) {
      this.tones.read(frame);
      if (this.tones.length === 0) this.tonesAreOver();
      return;
    }
    if (this.onHold) {
      this.holdMusic?.read(frame);
      return;
    }
    this.options.speech.read(frame);
    if (this.ambience) add(frame, this.ambience);
  }

  private announcementIsOver(): void {
    for (const resolve of this.awaitsAnnouncement.splice(0)) resolve();
  }

  private tonesAreOver(): void {
    for (const resolve of this.awaitsTones.splice(0)) resolve();
  }
}

function add(frame: Int16Array, source: SampleSource): void {
  const added = new Int16Array(frame.length);
  const length = source.read(added);
  for (let index = 0; index < length; index++)
    frame[index] = toInt16((frame[index] ?? 0) + (added[index] ?? 0));
}
