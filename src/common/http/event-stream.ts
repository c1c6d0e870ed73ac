import { once } from 'node:events';
import type { Request, Response } from 'express';

const MEDIA_TYPE = 'text/event-stream';
/** A reader that is this far behind is not written to any further. */
const MAX_UNREAD_BYTES = 1_000_000;

/** Begins an answer of server-sent events. */
export function beginEvents(response: Response): void {
  response.writeHead(200, {
    'Content-Type': `${MEDIA_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    // A proxy that collects the answer would hold the events back.
    'X-Accel-Buffering': 'no',
  });
}

/** One event as it is written; without a name readers take it for a `message`. */
export function eventText(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Whether the caller would rather have events than JSON. */
export function wantsEvents(request: Request): boolean {
  return request.accepts(['application/json', MEDIA_TYPE]) === MEDIA_TYPE;
}

/** An answer of server-sent events. Until the first of them anything else can still be answered. */
export class EventStream {
  private readonly gone = new AbortController();

  constructor(private readonly response: Response) {
    response.once('close', () => this.gone.abort());
  }

  get hasStarted(): boolean {
    return this.response.headersSent;
  }

  /** Fires when the caller has gone away, or the answer has ended. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  /** Sends an event now. It is left out for a reader that is far behind: what follows must not wait for it. */
  send(event: string, data: unknown): void {
    if (this.hasStarted && this.response.writableLength >= MAX_UNREAD_BYTES) return;
    this.write(event, data);
  }

  /** Sends an event, and waits until the reader has taken it, so that nothing piles up. Leaves none out. */
  async sendAndWait(event: string, data: unknown): Promise<void> {
    if (this.gone.signal.aborted || this.write(event, data)) return;
    await once(this.response, 'drain', { signal: this.gone.signal }).catch(() => undefined);
  }

  end(): void {
    this.response.end();
  }

  /** False when the reader has not kept up. */
  private write(event: string, data: unknown): boolean {
    if (this.response.writableEnded) return true;
    if (!this.hasStarted) beginEvents(this.response);
    return this.response.write(eventText(data, event));
  }
}
