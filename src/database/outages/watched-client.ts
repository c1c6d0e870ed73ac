import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Of every statement that has no other limit. One that runs longer is a fault; it must not keep a connection for ever. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** The server ends a statement at its limit of time, and the answer that says so takes a moment. */
const ANSWER_MS = 4_000;
/** After this process stood still, its timers run before it reads what has come meanwhile. */
const LOOK_AGAIN_MS = 1_000;

/**
 * A connection whose loss ends no process. Pools take their listener away from a connection they lend, and the borrower
 * adds its own a moment later; a server that answers one query and dies says both in one packet, and the loss would find
 * nobody. Whoever works with the connection hears of the loss from its next query.
 *
 * A host that dies says nothing at all, and the system would go on sending for a quarter of an hour. Where statements have
 * a limit of time (`statement_timeout`), a connection on which nothing has come five seconds after it is closed, and is lost
 * like any other. Without a limit, statements may take as long as they need.
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
