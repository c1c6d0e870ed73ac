import { SampleQueue } from '../../common/audio/sample-queue.js';

/** Sound that has come in pieces of any length, and waits to be heard in frames of one. Of too much the oldest is dropped. */
export class WaitingFrames {
  private readonly samples = new SampleQueue();

  /** @param frameSamples samples of a frame @param mostFrames whole frames that wait at most */
  constructor(
    private readonly frameSamples: number,
    private readonly mostFrames: number,
  ) {}

  /** Whole frames. */
  get length(): number {
    return Math.floor(this.samples.length / this.frameSamples);
  }

  /** Copies the samples, since the caller may reuse their memory. */
  push(samples: Int16Array): void {
    this.samples.push(samples.slice());
    this.drop(this.length - this.mostFrames);
  }

  shift(): Int16Array | undefined {
    if (this.length === 0) return undefined;
    const frame = new Int16Array(this.frameSamples);
    this.samples.read(frame);
    return frame;
  }

  /** Drops whole frames; the beginning of another one stays. */
  clear(): void {
    this.drop(this.length);
  }

  private drop(frames: number): void {
    if (frames > 0) this.samples.skip(frames * this.frameSamples);
  }
}
