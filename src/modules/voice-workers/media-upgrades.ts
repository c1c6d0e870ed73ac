import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What the process at whose port a browser has connected knows of it. */
export interface BrowserOrigin {
  /** The subject that the browser is counted for. */
  readonly address: string;
  /** Its call waits for a browser, or had one that may come back. */
  readonly isAwaited: boolean;
}

export type TakeUpgrade = (
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

/**
 * Holds the handler of web calls' WebSockets in this process, where it carries audio. The handler sets itself at
 * start.
 */
export class MediaUpgrades {
  private taken: TakeUpgrade | null = null;

  /** Null in a process without the voice role. */
  get take(): TakeUpgrade | null {
    return this.taken;
  }

  takeWith(take: TakeUpgrade): void {
    this.taken = take;
  }
}

const PATH = /^\/api\/web-calls\/(\d{1,10})\/media$/;
const MAX_ID = 2 ** 31 - 1;

/** The call that the WebSocket at this path is for; null when it is not the path of one. */
export function callOfMediaPath(url: string | undefined): number | null {
  const callId = Number(PATH.exec(url ?? '')?.[1] ?? 0);
  return callId > 0 && callId <= MAX_ID ? callId : null;
}

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
}
