/** What every worker is given, whatever it works at. */
export const WORKER_OPTIONS = {
  /** After both together a job whose process has died is taken up by another. A living one renews its lock twice as often. */
  lockDuration: 15_000,
  stalledInterval: 10_000,
  /** Seconds until an idle worker looks by itself: new jobs are announced, and delayed ones have their time. */
  drainDelay: 30,
} as const;
