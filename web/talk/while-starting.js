/** A server that is starting, or has no voice process for a moment, is asked again for this long. */
const START_MS = 60_000;
const LONGEST_WAIT_MS = 10_000;

/** Asks for a call. While the server says when to come back, waits and asks again. */
export async function whileStarting(ask, { waitMsOf, onWait, isOver }) {
  const endsAt = performance.now() + START_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = Math.min(LONGEST_WAIT_MS, waitMsOf(error));
      if (waitMs === 0 || performance.now() + waitMs > endsAt) throw error;
      onWait?.();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (isOver()) throw error;
    }
  }
}
