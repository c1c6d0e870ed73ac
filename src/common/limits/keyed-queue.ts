/** Runs what belongs to one key one after another, in the order it came; different keys beside one another. */
export class KeyedQueue<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
