import { FRAME_MS } from '@prosa/audio';

/**
 * Ticks that are caught up at once after a late timer; older ones are given up. Telephones and switches buffer at
 * least 100 ms of early sound, so that much is heard without a gap. More would be dropped at the other end.
 */
const MAX_CATCH_UP = 5;

/** @param skipped ticks that were given up before this one */
export type LineTick = (skipped: number) => void;

/** The time of all lines of a process: one timer that calls each of them every 20 ms, on average exactly. */
export class LineClock {
  private readonly lines = new Set<LineTick>();
  private timer: NodeJS.Timeout | null = null;
  private deferred: NodeJS.Immediate | null = null;
  private startedAtMs = 0;
  private ticks = 0;
  /** Ticks that were given up since the start; something blocked the process for longer than `MAX_CATCH_UP` of them. */
  skippedTicks = 0;

  /** @param nowMs a time that never goes back */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  get size(): number {
    return this.lines.size;
  }

  /** Calls back every 20 ms until the returned function is called. The callback must not throw. */
  add(onTick: LineTick): () => void {
    const line = (skipped: number) => onTick(skipped);
    this.lines.add(line);
    if (!this.timer && !this.deferred) this.start();
    return () => {
      this.lines.delete(line);
      if (this.lines.size === 0) this.stop();
    };
  }

  private start(): void {
    this.startedAtMs = this.nowMs();
    this.ticks = 0;
    this.wait();
  }

  private stop(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.deferred) clearImmediate(this.deferred);
    this.timer = this.deferred = null;
  }

  private wait(): void {
    const nextAtMs = this.startedAtMs + (this.ticks + 1) * FRAME_MS;
    this.timer = setTimeout(() => this.wake(), Math.max(nextAtMs - this.nowMs(), 0));
  }

  /** A late timer runs before the sound that waits in the sockets is read: it is read first, lest silence is heard in its place. */
  private wake(): void {
    this.timer = null;
    if (this.due < 2) return this.run();
    this.deferred = setImmediate(() => {
      this.deferred = null;
      this.run();
    });
  }

  private get due(): number {
    return Math.floor((this.nowMs() - this.startedAtMs) / FRAME_MS) - this.ticks;
  }

  private run(): void {
    const { due } = this;
    const skipped = Math.max(due - MAX_CATCH_UP, 0);
    this.skippedTicks += skipped;
    this.ticks += due;
    for (let tick = skipped; tick < due; tick++)
      for (const line of this.lines) line(tick === skipped ? skipped : 0);
    if (this.lines.size > 0) this.wait();
  }
}

/** Of this process. */
export const lineClock = new LineClock();
