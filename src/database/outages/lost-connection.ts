import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a database takes to come back after a crash, shorter than a caller waits for an answer. */
const MAX_WAIT_MS = 10_000;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_STEP_MS = 500;

/**
 * Asks the database until it answers. For the time after a commit, when a lost connection is not a failure of the work.
 *
 * @param ask gets whether it was called before
 * @param onFailure gets each failure
 * @returns null when there was no answer in ten seconds
 */
export async function untilDatabaseAnswers<T>(
  ask: (isRepeated: boolean) => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<{ readonly answer: T } | null> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let waitMs = 0; performance.now() < deadline;) {
    // Most ask once, and a timer of no time takes a millisecond.
    if (waitMs > 0) await sleep(waitMs);
    try {
      return { answer: await ask(waitMs > 0) };
    } catch (error) {
      onFailure(error);
      waitMs = Math.min(Math.max(waitMs * 2, FIRST_WAIT_MS), MAX_WAIT_STEP_MS);
    }
  }
  return null;
}
