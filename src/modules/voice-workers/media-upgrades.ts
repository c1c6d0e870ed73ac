import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What the process at whose port a browser has connected knows of it. */
export interface BrowserOrigin {
  /** The subject that the browser is counted for. */
  readonly address: string;
  /** Its call waits for a browser, or had one that may come back. Always for a person who listens. */
  readonly isAwaited: boolean;
}

/** What a WebSocket is for: the customer of a web call, or a person who listens to a call. */
export type MediaKind = 'customer' | 'monitor';

export interface MediaPath {
  readonly kind: MediaKind;
  readonly callId: number;
}

export type TakeUpgrade = (
  callId: number,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  origin: BrowserOrigin,
) => void;

const ADDRESS_HEADER = 'x-prosa-browser-address';
const AWAITED_HEADER = 'x-prosa-browser-awaited';

/** The headers that pass on to another process where a browser comes from. */
export function headersOfOrigin({ address, isAwaited }: BrowserOrigin): Record<string, string> {
  return { [ADDRESS_HEADER]: address, [AWAITED_HEADER]: String(isAwaited) };
}

/** Reads them from the request of another process. */
export function originOfHeaders({ headers }: IncomingMessage): BrowserOrigin {
  return {
    address: String(headers[ADDRESS_HEADER] ?? 'unknown'),
    isAwaited: headers[AWAITED_HEADER] === 'true',
  };
}

/** Holds the handlers of WebSockets in this process, where it carries audio. Each handler sets itself at start. */
export class MediaUpgrades {
  private readonly handlers = new Map<MediaKind, TakeUpgrade>();

  /** Null in a process without the voice role. */
  find(kind: MediaKind): TakeUpgrade | null {
    return this.handlers.get(kind) ?? null;
  }

  takeWith(kind: MediaKind, take: TakeUpgrade): void {
    this.handlers.set(kind, take);
  }
}

const PATHS: Readonly<Record<MediaKind, RegExp>> = {
  customer: /^\/api\/web-calls\/(\d{1,10})\/media$/,
  monitor: /^\/api\/calls\/(\d{1,10})\/monitor$/,
};
const MAX_ID = 2 ** 31 - 1;

/** What the WebSocket at this path is for; null when it is not the path of one. */
export function mediaPathOf(url: string | undefined): MediaPath | null {
  for (const kind of ['customer', 'monitor'] as const) {
    const callId = Number(PATHS[kind].exec(url ?? '')?.[1] ?? 0);
    if (callId > 0 && callId <= MAX_ID) return { kind, callId };
  }
  return null;
}

/** A refused client reads the answer by then. */
const LAST_WORDS_MS = 1_000;

const STATUSES = {
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};
/** When to try again, where that may help. */
const RETRY_SECONDS: Readonly<Partial<Record<keyof typeof STATUSES, number>>> = { 429: 5, 503: 1 };

/** Answers an upgrade with a refusal. */
export function refuseUpgrade(
  socket: Duplex,
  status: keyof typeof STATUSES,
  retrySeconds = RETRY_SECONDS[status],
): void {
  const retry = retrySeconds === undefined ? '' : `Retry-After: ${retrySeconds}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUSES[status]}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`,
  );
  // No time-out of the HTTP server applies any more: a client that does not close its side would keep the connection for ever.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
