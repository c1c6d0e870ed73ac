import type { CancelTimer, Clock } from './clock.js';

/** Waits for `work` at most `limitMs`; rejects with `late` after that. The work itself is not cancelled. */
export async function withTimeLimit<T>(
  clock: Clock,
  limitMs: number,
  work: Promise<T>,
  late: Error,
): Promise<T> {
  let cancel: CancelTimer = () => {};
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(limitMs, () => reject(late));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}
