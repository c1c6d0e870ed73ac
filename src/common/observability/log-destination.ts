import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream } from 'pino';
import sonicBoom from 'sonic-boom';

/** Some ten thousand lines: enough for a reader that pauses, little enough to be held. */
const MAX_BYTES = 4 * 1_048_576;

/**
 * Writes the log without ever blocking the process for its reader. Lines wait in a bounded buffer while the disk is
 * full or the pipe's reader is slow or gone. Lines without room are dropped, and their number is logged once writing
 * works again. pino's own destination has a `flushSync`, called at each fatal line, that tries for ever on a full
 * disk. This one has none, and is given time by `close` instead.
 */
export class LogDestination implements DestinationStream {
  private readonly out: sonicBoom.SonicBoom;
  private unwrittenBytes = 0;
  private dropped = 0;
  private untold = 0;

  /**
   * @param fd a pipe must have been opened by Node's `process.stdout`, which makes writing to it not block
   * @param format what is written for a line; the line itself when left out
   */
  constructor(
    fd: number,
    maxBytes = MAX_BYTES,
    private readonly format = (line: string) => line,
  ) {
    this.out = new sonicBoom.SonicBoom({ fd, sync: false, maxLength: maxBytes });
    // What could not be written stays in the buffer, and is tried again with the next line.
    this.out.on('error', () => undefined);
    this.out.on('write', (bytes) => (this.unwrittenBytes -= bytes));
    this.out.on('drop', (line) => {
      this.unwrittenBytes -= Buffer.byteLength(line);
      this.dropped++;
      this.untold++;
    });
  }

  get linesDropped(): number {
    return this.dropped;
  }

  write(line: string): void {
    const text = this.format(line);
    this.unwrittenBytes += Buffer.byteLength(text);
    this.out.write(text);
  }

  /** @param tell called with the number of lines dropped since the last time, once everything held is written */
  whenWritable(tell: (dropped: number) => void): void {
    this.out.on('drain', () => {
      const { untold } = this;
      this.untold = 0;
      if (untold > 0) tell(untold);
    });
  }

  /** Gives the buffered lines time to be written. Call it last: lines that are lost here are not reported. */
  async close(timeoutMs: number): Promise<void> {
    if (this.unwrittenBytes === 0) return;
    const ended = new AbortController();
    const { signal } = ended;
    // `once` also ends, by rejecting, with an error: the disk is full, and waiting would not help.
    await Promise.race([once(this.out, 'drain', { signal }), sleep(timeoutMs, undefined, { signal })])
      .catch(() => undefined)
      .finally(() => ended.abort());
  }
}
