import { FRAME_MS } from '@prosa/audio';

/** After a pause of the process so many frames are sent at once; more would only come too late. */
const MOST_SENT = 5;
/** Frames that are heard at once after a pause: what jitter buffers hold. */
const MOST_HEARD = 40;

/** The frame that a listener is called for. */
export interface MediaTick {
  readonly nowMs: number;
  /** Frames before this one that are given up: neither sent nor heard. */
  readonly lost: number;
  /** Whether it is too late to send it: it is heard only. */
  readonly isLate: boolean;
  /** Frames after this one that are due now. */
  readonly behind: number;
}

/** One timer for all calls of the process: calls each listener every 20 ms, without drifting away from real time. */
export class MediaClock {
  private readonly listeners = new Set<(tick: MediaTick) => void>();
  private timer: NodeJS.Timeout | null = null;
  private deferred: NodeJS.Immediate | null = null;
  private dueMs = 0;

  /** @param nowMs a time that never goes back */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  add(listener: (tick: MediaTick) => void): void {
    this.listeners.add(listener);
    if (this.timer || this.deferred) return;
    this.dueMs = this.nowMs() + FRAME_MS;
    this.schedule();
  }

  delete(listener: (tick: MediaTick) => void): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    if (this.timer) clearTimeout(this.timer);
    if (this.deferred) clearImmediate(this.deferred);
    this.timer = this.deferred = null;
  }

  private schedule(): void {
    this.timer = setTimeout(() => this.wake(), Math.max(this.dueMs - this.nowMs(), 0));
  }

  /** A late timer runs before the packets that wait in the sockets are read: they are read first, lest they count as lost. */
  private wake(): void {
    this.timer = null;
    if (this.nowMs() - this.dueMs < FRAME_MS) return this.run();
    this.deferred = setImmediate(() => {
      this.deferred = null;
      this.run();
    });
  }

  private run(): void {
    const nowMs = this.nowMs();
    const due = Math.floor((nowMs - this.dueMs) / FRAME_MS) + 1;
    const lost = Math.max(due - MOST_HEARD, 0);
    this.dueMs += due * FRAME_MS;
    for (let behind = due - lost - 1; behind >= 0; behind--) {
      const isFirst = behind === due - lost - 1;
      const tick = { nowMs, lost: isFirst ? lost : 0, isLate: behind >= MOST_SENT, behind };
      for (const listener of this.listeners) listener(tick);
    }
    if (this.listeners.size > 0) this.schedule();
  }
}
