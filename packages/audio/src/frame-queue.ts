/** Frames of silence that a reader finds at most in place of dropped ones: a minute. */
const MAX_DROPPED = 3_000;

/**
 * Frames on their way to one reader. A reader that is late finds silence in place of the oldest, so that the count of frames
 * stays the time.
 */
export class FrameQueue implements AsyncIterableIterator<Int16Array> {
  private readonly frames: Int16Array[] = [];
  private dropped = 0;
  private frameSamples = 0;
  private waiting: ((result: IteratorResult<Int16Array, undefined>) => void) | null = null;
  private ended = false;

  constructor(private readonly mostFrames: number) {}

  push(frame: Int16Array): void {
    if (this.ended) return;
    this.frameSamples = frame.length;
    if (this.waiting) {
      const resolve = this.waiting;
      this.waiting = null;
      resolve({ value: frame, done: false });
      return;
    }
    this.frames.push(frame);
    if (this.frames.length <= this.mostFrames) return;
    this.frames.shift();
    this.dropped = Math.min(this.dropped + 1, MAX_DROPPED);
  }

  /** Time in which nothing came, because this process was held up. */
  pushSilence(frames: number, frameSamples: number): void {
    for (let index = 0; index < Math.min(frames, MAX_DROPPED); index++)
      this.push(new Int16Array(frameSamples));
  }

  /** What waits is still read. */
  end(): void {
    this.ended = true;
    this.waiting?.({ value: undefined, done: true });
    this.waiting = null;
  }

  next(): Promise<IteratorResult<Int16Array, undefined>> {
    const frame = this.nextFrame();
    if (frame) return Promise.resolve({ value: frame, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<Int16Array, undefined>> {
    this.frames.length = 0;
    this.dropped = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private nextFrame(): Int16Array | undefined {
    if (this.dropped === 0) return this.frames.shift();
    this.dropped--;
    return new Int16Array(this.frameSamples);
  }
}
