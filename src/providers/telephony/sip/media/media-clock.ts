import { FRAME_MS } from '../../call-audio.js';

/** After a pause of the process so many frames are made up for; more would only come too late. */
const MOST_AT_ONCE = 5;

/** One timer for all calls of the process: calls each listener every 20 ms, without drifting away from real time. */
export class MediaClock {
  private readonly listeners = new Set<(nowMs: number) => void>();
  private timer: NodeJS.Timeout | null = null;
  private dueMs = 0;

  add(listener: (nowMs: number) => void): void {
    this.listeners.add(listener);
    if (this.timer) return;
    this.dueMs = performance.now() + FRAME_MS;
    this.schedule();
  }

  delete(listener: (nowMs: number) => void): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0 || !this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(): void {
    this.timer = setTimeout(() => this.run(), Math.max(this.dueMs - performance.now(), 0));
  }

  private run(): void {
    const nowMs = performance.now();
    if (nowMs - this.dueMs > MOST_AT_ONCE * FRAME_MS) this.dueMs = nowMs - MOST_AT_ONCE * FRAME_MS;
    while (this.dueMs <= nowMs) {
      for (const listener of this.listeners) listener(nowMs);
      this.dueMs += FRAME_MS;
    }
    if (this.listeners.size > 0) this.schedule();
    else this.timer = null;
  }
}
