import { MAINTENANCE_QUEUE } from '../job-definition.js';

/**
 * Seconds until an idle worker looks by itself at the latest: new jobs are announced, delayed ones have their time, and
 * after a lost connection all look at once.
 */
const LOOK_AFTER_S = 60;
/** The looks of different queues are spread over so many seconds. */
const SPREAD_S = 10;
/**
 * Of the queue whose next run is planned, not announced: BullMQ asks for its time once as it begins to wait, and where
 * the database is away at that moment it knows of none. Every look for what was left undone hangs on this one.
 */
const MAINTENANCE_LOOK_AFTER_S = 10;
/** Milliseconds between two looks for jobs whose process has died. */
export const STALLED_INTERVAL_MS = 10_000;

/** The options of a queue's worker, for any job. */
export function workerOptions(queue: string) {
  return {
    /** After both together a job whose process has died is taken up by another. A living one renews its lock twice as often. */
    lockDuration: 15_000,
    stalledInterval: STALLED_INTERVAL_MS,
    /** Of its own for each queue: workers that begin together would else look together, each on a connection of its own. */
    drainDelay:
      queue === MAINTENANCE_QUEUE ? MAINTENANCE_LOOK_AFTER_S : LOOK_AFTER_S - shareOf(queue) * SPREAD_S,
  };
}

/** From 0 to 1, the same for a name always. */
function shareOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 997;
  return sum / 997;
}
