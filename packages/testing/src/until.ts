import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 10;

/** Waits until `isReached` says so; fails after `timeoutMs`. */
export async function until(isReached: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isReached())) {
    if (performance.now() > deadline) throw new Error(`not reached within ${timeoutMs} ms`);
    await sleep(STEP_MS);
  }
}
