import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Of every statement that has no other limit. One that runs longer is a fault; it must not keep a connection for ever. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** The server ends a statement at its limit of time, and the answer that says so takes a moment. */
const ANSWER_MS = 4_000;
/** After this process was suspended, its timers run before it reads what has arrived. */
const LOOK_AGAIN_MS = 1_000;

/**
 * A connection whose loss does not end the process. A pool removes its listener from a connection that it lends, and the
 * borrower adds its own a moment later. When the server answers a query and dies, both arrive in one packet, and the loss
 * would have no listener. The next query on the connection reports the loss.
 *
 * A host that dies sends nothing, and the system would retransmit for a quarter of an hour. Where statements have a time
 * limit (`statement_timeout`), a connection without data for five seconds after the limit is closed. Without a limit,
 * statements may take as long as they need.
 */
export class WatchedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    const { statement_timeout: limitMs } = config ?? {};
    if (limitMs) this.once('connect', () => this.closeUnanswered(limitMs + ANSWER_MS));
  }

  private closeUnanswered(afterMs: number): void {
    const stream = this.connection.stream as Socket;
    stream.setTimeout(afterMs, () => {
      const { bytesRead } = stream;
      const look = () => {
        if (this.isAsking && stream.bytesRead === bytesRead) stream.destroy();
      };
      if (this.isAsking) setTimeout(look, LOOK_AGAIN_MS).unref();
    });
  }

  /** Whether a query is under way. The driver has this, and its types do not. */
  private get isAsking(): boolean {
    return !(this as unknown as { readonly readyForQuery: boolean }).readyForQuery;
  }
}
