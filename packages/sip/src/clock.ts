export type CancelTimer = () => void;

/** The time that timers and timestamps of the user agent use. Tests pass their own. */
export interface Clock {
  /** Monotonic milliseconds; only differences have a meaning. */
  nowMs(): number;
  /** The time of the calendar. */
  date(): Date;
  /** Calls back once, after `delayMs` milliseconds of this clock. */
  after(delayMs: number, callback: () => void): CancelTimer;
}

/** The longest wait of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The time of the machine. */
export const machineClock: Clock = {
  nowMs: () => performance.now(),
  date: () => new Date(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
