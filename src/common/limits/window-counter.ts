/** What was counted of a key in its current window. */
export interface WindowCount {
  readonly count: number;
  readonly endsAtMs: number;
}

/** Counts in the memory of this process, in windows of one length that begin with a key's first count. */
export class WindowCounter {
  /** In the order the windows began, so that those that end first come first. */
  private readonly windows = new Map<string, WindowCount>();

  constructor(private readonly windowMs: number) {}

  /** Counts one more and returns the count with it. */
  add(key: string, nowMs = performance.now()): WindowCount {
    this.forget(nowMs);
    const before = this.windows.get(key);
    if (before && before.endsAtMs > nowMs) {
      return this.put(key, { count: before.count + 1, endsAtMs: before.endsAtMs });
    }
    this.windows.delete(key);
    return this.put(key, { count: 1, endsAtMs: nowMs + this.windowMs });
  }

  /** Takes over what others know of a key: the higher count and the earlier end. Returns what holds from now on. */
  merge(key: string, known: WindowCount): WindowCount {
    const own = this.windows.get(key);
    if (!own) return known;
    return this.put(key, {
      count: Math.max(own.count, known.count),
      endsAtMs: Math.min(own.endsAtMs, known.endsAtMs),
    });
  }

  private put(key: string, window: WindowCount): WindowCount {
    this.windows.set(key, window);
    return window;
  }

  private forget(nowMs: number): void {
    for (const [key, { endsAtMs }] of this.windows) {
      if (endsAtMs > nowMs) return;
      this.windows.delete(key);
    }
  }
}
