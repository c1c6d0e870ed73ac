/** Runs pieces of work one after another, in the order in which they came. */
export class SerialQueue {
  private tail: Promise<unknown> | null = null;

  /** Starts at once when no other work runs. A failed piece of work does not stop the next one. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.tail === null ? work() : this.tail.then(work, work);
    this.tail = mine;
    try {
      return await mine;
    } finally {
      if (this.tail === mine) this.tail = null;
    }
  }
}
