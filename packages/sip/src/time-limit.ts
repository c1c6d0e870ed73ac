/** Waits for `work` at most `limitMs`; rejects with `late` after that. The work itself is not cancelled. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, late: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
