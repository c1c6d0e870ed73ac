/** Frames on their way to one reader. A reader that is late loses the oldest. */
export class FrameQueue implements AsyncIterableIterator<Int16Array> {
  private readonly frames: Int16Array[] = [];
  private waiting: ((result: IteratorResult<Int16Array, undefined>) => void) | null = null;
  private ended = false;

  constructor(private readonly mostFrames: number) {}

  push(frame: Int16Array): void {
    if (this.ended) return;
    if (this.waiting) {
      const resolve = this.waiting;
      this.waiting = null;
      resolve({ value: frame, done: false });
      return;
    }
    this.frames.push(frame);
    if (this.frames.length > this.mostFrames) this.frames.shift();
  }

  /** What waits is still read. */
  end(): void {
    this.ended = true;
    this.waiting?.({ value: undefined, done: true });
    this.waiting = null;
  }

  next(): Promise<IteratorResult<Int16Array, undefined>> {
    const frame = this.frames.shift();
    if (frame) return Promise.resolve({ value: frame, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<Int16Array, undefined>> {
    this.frames.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
