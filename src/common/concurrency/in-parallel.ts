/**
 * Does the work of each item, at most `limit` at the same time, in the order of the items.
 *
 * @throws the first error of any; items that are not begun by then are left out
 */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let hasFailed = false;
  const lane = async () => {
    while (!hasFailed) {
      const next = waiting.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
