/** Samples that wait, in the order they came. */
export class SampleQueue {
  private chunks: Int16Array[] = [];
  private offset = 0;
  private waiting = 0;

  get length(): number {
    return this.waiting;
  }

  push(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.chunks.push(samples);
    this.waiting += samples.length;
  }

  /** Fills from `at` on with what there is; returns how many samples that were. */
  read(into: Int16Array, at = 0): number {
    let filled = at;
    while (filled < into.length) {
      const chunk = this.chunks[0];
      if (!chunk) break;
      const part = chunk.subarray(this.offset, this.offset + into.length - filled);
      into.set(part, filled);
      filled += part.length;
      this.advance(part.length, chunk.length);
    }
    return filled - at;
  }

  /** Drops the oldest. */
  skip(count: number): void {
    for (let left = count; left > 0;) {
      const chunk = this.chunks[0];
      if (!chunk) return;
      const part = Math.min(left, chunk.length - this.offset);
      left -= part;
      this.advance(part, chunk.length);
    }
  }

  clear(): void {
    this.chunks = [];
    this.offset = 0;
    this.waiting = 0;
  }

  private advance(count: number, chunkLength: number): void {
    this.offset += count;
    this.waiting -= count;
    if (this.offset < chunkLength) return;
    this.chunks.shift();
    this.offset = 0;
  }
}
