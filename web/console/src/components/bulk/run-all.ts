/** Requests at the same time: a page of rows takes seconds, and other people of the account still get answers. */
const MOST_AT_ONCE = 4;

export interface Failed<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * Acts on each item, a few at a time. A failure does not stop the others.
 *
 * @param onProgress called after each item with how many are done
 * @returns what failed, in the order of the items
 */
export async function runAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Failed<Item>[]> {
  const errors = new Map<number, unknown>();
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      try {
        await act(items[at] as Item);
      } catch (error) {
        errors.set(at, error);
      }
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  return items.flatMap((item, at) => (errors.has(at) ? [{ item, error: errors.get(at) }] : []));
}
