import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 10;
const MAX_STEP_MS = 250;
/** Of the time waited so far: what takes two seconds is seen at most a tenth of a second late. */
const STEP_SHARE = 0.05;

/**
 * Waits until `isReached` says so; fails after `timeoutMs`. A condition that asks a server is tried less often the longer it
 * takes, because the questions take the processor from what is waited for.
 */
export async function until(isReached: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const start = performance.now();
  for (;;) {
    const answer = isReached();
    if (await answer) return;
    const waited = performance.now() - start;
    if (waited > timeoutMs) throw new Error(`not reached within ${timeoutMs} ms`);
    const step = typeof answer === 'boolean' ? STEP_MS : Math.max(STEP_MS, waited * STEP_SHARE);
    await sleep(Math.min(step, MAX_STEP_MS));
  }
}
