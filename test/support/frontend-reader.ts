const STARTUP_HEAD = 4;
const MESSAGE_HEAD = 5;

/**
 * Reads what a client says to PostgreSQL on one connection, as bytes come, and tells the statements it asks to run:
 * prepared ones by their text. Each statement the driver sends is one round trip.
 */
export class FrontendReader {
  private unread = Buffer.alloc(0);
  private isStarted = false;
  private readonly prepared = new Map<string, string>();

  read(chunk: Buffer): string[] {
    this.unread = Buffer.concat([this.unread, chunk]);
    const statements: string[] = [];
    for (;;) {
      const head = this.isStarted ? MESSAGE_HEAD : STARTUP_HEAD;
      if (this.unread.length < head) return statements;
      const end = this.unread.readInt32BE(head - 4) + head - 4;
      if (this.unread.length < end) return statements;
      const type = this.isStarted ? String.fromCharCode(this.unread[0] ?? 0) : 'startup';
      const [first = '', second = ''] = this.unread.toString('latin1', head, end).split('\0', 2);
      this.isStarted = true;
      this.unread = this.unread.subarray(end);
      // Parse names a text, Bind runs it; a simple query is its own text.
      if (type === 'P') this.prepared.set(first, second);
      else if (type === 'B') statements.push(this.prepared.get(second) ?? '');
      else if (type === 'Q') statements.push(first);
    }
  }
}
