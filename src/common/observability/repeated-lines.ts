const WINDOW_MS = 60_000;
/** Keys are static messages; a mistake must not grow the map without end. */
const MAX_KEYS = 500;

type Write = (repeated: number) => void;

interface Window {
  /** How many lines were written at once. */
  written: number;
  repeated: number;
  last: Write;
}

/**
 * Keeps a fault that lasts from filling the log: the first lines of a kind are written at once, then one in each window, which
 * says how many were left out.
 */
export class RepeatedLines {
  private readonly windows = new Map<string, Window>();

  /** @param atOnce how many lines of a kind are written at once in a window */
  constructor(
    private readonly windowMs = WINDOW_MS,
    private readonly atOnce = 1,
  ) {}

  /**
   * @param key what makes two lines the same kind
   * @param write receives the number of further lines that its line represents
   */
  write(key: string, write: Write): void {
    const open = this.windows.get(key);
    if (open && open.written >= this.atOnce) {
      open.repeated++;
      open.last = write;
      return;
    }
    write(0);
    if (open) open.written++;
    else if (this.windows.size < MAX_KEYS) this.open(key, write);
  }

  private open(key: string, last: Write): void {
    const window: Window = { written: 1, repeated: 0, last };
    this.windows.set(key, window);
    setTimeout(() => {
      this.windows.delete(key);
      if (window.repeated === 0) return;
      window.last(window.repeated - 1);
      this.open(key, window.last);
    }, this.windowMs).unref();
  }
}
