import { Silence } from '../../shared/silence';
import { type Api, ApiError } from './api';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** A hidden page closes its connection after this time. */
const HIDDEN_MS = 30_000;

export interface LiveListener {
  /** There may be something new. */
  onNews(): void;
  /** Another side answers now, or the conversation has ended. */
  onState(): void;
  onTyping(): void;
  onLost(): void;
  onConnected(): void;
}

/** Listens to changes of a conversation while the page is visible, and reconnects. */
export class LiveConnection {
  private stop: AbortController | null = null;
  private hiddenTimer = 0;

  constructor(
    private readonly api: Api,
    private readonly conversationId: string,
    private readonly listener: LiveListener,
  ) {
    document.addEventListener('visibilitychange', this.onVisibility);
    window.addEventListener('online', this.onOnline);
    if (!document.hidden) this.start();
  }

  end(): void {
    document.removeEventListener('visibilitychange', this.onVisibility);
    window.removeEventListener('online', this.onOnline);
    clearTimeout(this.hiddenTimer);
    this.stop?.abort();
    this.stop = null;
  }

  private readonly onVisibility = (): void => {
    clearTimeout(this.hiddenTimer);
    if (!document.hidden) this.start();
    else this.hiddenTimer = window.setTimeout(() => this.halt(), HIDDEN_MS);
  };

  private readonly onOnline = (): void => {
    this.halt();
    if (!document.hidden) this.start();
  };

  private halt(): void {
    this.stop?.abort();
    this.stop = null;
  }

  private start(): void {
    if (this.stop) return;
    this.stop = new AbortController();
    void this.run(this.stop.signal);
  }

  /** Until it is stopped. Each new connection begins with a hint that everything is to be read anew. */
  private async run(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const connection = new AbortController();
      const leave = () => connection.abort();
      const silence = new Silence(leave);
      signal.addEventListener('abort', leave);
      try {
        for await (const { event, data } of this.api.watch(this.conversationId, connection.signal)) {
          wait = FIRST_WAIT_MS;
          silence.broken();
          this.listener.onConnected();
          if (event !== 'heartbeat') this.tell(data.type);
        }
      } catch (error) {
        if (signal.aborted) return;
        // The conversation is gone; the next read reports it.
        if (error instanceof ApiError && error.status === 404) return this.listener.onNews();
        this.listener.onLost();
      } finally {
        silence.end();
        signal.removeEventListener('abort', leave);
      }
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      // Polls if a stream cannot be opened.
      if (!signal.aborted && wait > FIRST_WAIT_MS) this.listener.onNews();
    }
  }

  private tell(type?: string): void {
    if (type === 'typing') return this.listener.onTyping();
    this.listener.onNews();
    if (type !== 'message') this.listener.onState();
  }
}
