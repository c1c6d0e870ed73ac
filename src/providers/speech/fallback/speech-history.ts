import { AudioFrame } from '@livekit/rtc-node';

/**
 * The last seconds of a call's audio, addressed by samples since its beginning. The detector's own copy of an utterance
 * cannot be used: its buffer is written over before anybody sees it (1.9.0 puts the end of an utterance at its beginning).
 */
export class SpeechHistory {
  private frames: { readonly start: number; readonly data: Int16Array }[] = [];
  private pushed = 0;

  /**
   * @param sampleRate of every frame
   * @param keepMs how much is kept
   */
  constructor(
    private readonly sampleRate: number,
    private readonly keepMs: number,
  ) {}

  /** Samples since the beginning. */
  get end(): number {
    return this.pushed;
  }

  samples(ms: number): number {
    return Math.round((ms * this.sampleRate) / 1_000);
  }

  push(frame: AudioFrame): void {
    this.frames.push({ start: this.pushed, data: frame.data });
    this.pushed += frame.samplesPerChannel;
    const oldest = this.pushed - this.samples(this.keepMs);
    while (this.frames[0] && this.frames[0].start + this.frames[0].data.length <= oldest) this.frames.shift();
  }

  /** What was heard from one sample to another, as far as it is kept, in the frames it came in. */
  slice(from: number, to = this.pushed): AudioFrame[] {
    return this.frames
      .filter(({ start, data }) => start + data.length > from && start < to)
      .map(({ data }) => new AudioFrame(data, this.sampleRate, 1, data.length));
  }
}
