import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs items of the same key in batches. A single item runs at once; items queued while it runs form the next batch.
 * Different keys run in parallel.
 */
export class KeyedBatcher<Key, Item, Result> {
  private readonly waiting = new Map<Key, Waiting<Item, Result>[]>();

  /**
   * @param work answers one result for each item, in their order. Where it fails it must have done nothing, or be
   *   safe to repeat: items that failed together are tried one by one, so that one of them does not fail the others
   * @param most items of a run
   */
  constructor(
    private readonly work: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  /** @throws what `work` throws for this item alone */
  run(key: Key, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(key);
      if (line) {
        line.push({ item, resolve, reject });
        return;
      }
      this.waiting.set(key, [{ item, resolve, reject }]);
      void this.serve(key);
    });
  }

  /** Never fails. */
  private async serve(key: Key): Promise<void> {
    // What is asked in the same turn of the event loop goes along.
    await nextTurn();
    for (;;) {
      const line = this.waiting.get(key) ?? [];
      if (line.length === 0) break;
      await this.runOne(key, line.splice(0, this.most));
    }
    this.waiting.delete(key);
  }

  private async runOne(key: Key, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(
        key,
        batch.map(({ item }) => item),
      );
      if (results.length !== batch.length) throw new Error('a batch without one result for each item');
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((one) => this.runOne(key, [one])));
    }
  }
}
