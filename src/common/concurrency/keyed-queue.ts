interface Line {
  tail: Promise<unknown>;
  length: number;
}

/** Runs the work of one key one after another, in the order it came; different keys run in parallel. */
export class KeyedQueue<Key> {
  private readonly lines = new Map<Key, Line>();

  /** How much of a key runs or waits. */
  lengthOf(key: Key): number {
    return this.lines.get(key)?.length ?? 0;
  }

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    this.lines.set(key, line);
    line.length++;
    try {
      const mine = line.length === 1 ? work() : line.tail.then(work, work);
      line.tail = mine;
      return await mine;
    } finally {
      line.length--;
      if (line.length === 0) this.lines.delete(key);
    }
  }
}
