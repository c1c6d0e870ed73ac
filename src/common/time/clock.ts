export type CancelTimer = () => void;

/** Time as a thing that is passed in, so that tests and the sandbox have their own. */
export abstract class Clock {
  /** How many of its seconds pass in a real one. */
  abstract readonly speed: number;

  /** Milliseconds that never go back. Only their differences mean something. */
  abstract nowMs(): number;

  /** The calendar, independent of the speed of the clock. */
  abstract date(): Date;

  /** Calls back once, after so many of the clock's milliseconds. */
  abstract after(delayMs: number, callback: () => void): CancelTimer;
}

/** The longest wait of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The machine's time, or a multiple of it. */
export class SystemClock extends Clock {
  /** @param speed 1 is real time, 10 lets ten seconds pass in one */
  constructor(readonly speed = 1) {
    super();
  }

  nowMs(): number {
    return performance.now() * this.speed;
  }

  date(): Date {
    return new Date();
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    const timer = setTimeout(callback, Math.min(delayMs / this.speed, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }
}
