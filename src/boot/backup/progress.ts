const REDRAW_MS = 200;

/** One line on a terminal that is written over; nothing elsewhere. */
export class Progress {
  private drawnAtMs = 0;

  show(text: string): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.drawnAtMs < REDRAW_MS) return;
    this.drawnAtMs = nowMs;
    process.stderr.write(`\r\u001b[2K${text}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  }
}
