const WINDOW_MS = 60_000;
/** Keys are static messages; a mistake must not grow the map without end. */
const MAX_KEYS = 500;

type Write = (repeated: number) => void;

interface Window {
  repeated: number;
  last: Write;
}

/**
 * Keeps a fault that lasts from filling the log: the first line of a kind is written at once, then one a minute, which
 * says how many were left out.
 */
export class RepeatedLines {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly windowMs = WINDOW_MS) {}

  /**
   * @param key what makes two lines the same kind
   * @param write receives the number of further lines that its line represents
   */
  write(key: string, write: Write): void {
    const open = this.windows.get(key);
    if (open) {
      open.repeated++;
      open.last = write;
      return;
    }
    write(0);
    if (this.windows.size < MAX_KEYS) this.open(key, write);
  }

  private open(key: string, last: Write): void {
    const window: Window = { repeated: 0, last };
    this.windows.set(key, window);
    setTimeout(() => {
      this.windows.delete(key);
      if (window.repeated === 0) return;
      window.last(window.repeated - 1);
      this.open(key, window.last);
    }, this.windowMs).unref();
  }
}
