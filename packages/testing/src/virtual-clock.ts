import { setImmediate } from 'node:timers/promises';

/** Rounds of the event loop that let everything happen which waits for no time. */
const ROUNDS = 30;

/** A clock that stops until a test lets time pass. It fits the clocks of the server and of the SIP user agent. */
export class VirtualClock {
  readonly speed = 1;
  private time = 0;
  private timers: { readonly atMs: number; readonly callback: () => void }[] = [];

  constructor(private readonly epochMs = Date.UTC(2026, 0, 5, 12)) {}

  nowMs(): number {
    return this.time;
  }

  date(): Date {
    return new Date(this.epochMs + this.time);
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.time + Math.max(delayMs, 0), callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass, timer by timer, until the promise settles. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    promise.then(settle, settle);
    for (;;) {
      await this.quiet();
      if (settled) return promise;
      if (!this.fireNext(Infinity)) throw new Error(`Nothing more happens after ${this.time} ms.`);
    }
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.time + ms;
    await this.quiet();
    while (this.fireNext(untilMs)) await this.quiet();
    this.time = untilMs;
  }

  private async quiet(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) await setImmediate();
  }

  private fireNext(untilMs: number): boolean {
    const next = this.timers.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!next || next.atMs > untilMs) return false;
    this.timers = this.timers.filter((timer) => timer !== next);
    this.time = Math.max(this.time, next.atMs);
    next.callback();
    return true;
  }
}
