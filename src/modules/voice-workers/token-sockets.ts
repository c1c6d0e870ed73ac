import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { FairPlaces } from '../../common/limits/fair-places.js';
import type { Logger } from '../../common/observability/logger.js';
import { CLOSE, MAX_MESSAGE_BYTES, tokenOf } from '../../providers/telephony/web/web-call-protocol.js';
import { bufferOf, closeSocket } from '../../providers/telephony/web/web-socket-connection.js';
import { type BrowserOrigin, refuseUpgrade } from './media-upgrades.js';

/** A connection must name its call within so long. */
const START_MS = 5_000;
/** Connections that have not said so yet. */
const MAX_STRANGERS = 200;
/** The same of calls that wait for no browser. They take no places of others, and are closed after the same messages. */
const MAX_STRAYS = 200;

export interface TokenSocketsOptions {
  /**
   * Takes a connection with its token. Nothing that comes after the first message is lost until this returns.
   *
   * @returns the code to close the connection with; null when it is admitted
   */
  admit(callId: number, token: string, socket: WebSocket): Promise<number | null>;
  readonly logger: Logger;
}

/** WebSockets of a voice process whose first message shows a token. */
export class TokenSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  private readonly strangers = new Set<WebSocket>();
  private readonly places = new FairPlaces(MAX_STRANGERS);
  private readonly strayPlaces = new FairPlaces(MAX_STRAYS);
  private isClosing = false;

  constructor(private readonly options: TokenSocketsOptions) {}

  upgrade(
    callId: number,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    origin: BrowserOrigin,
  ): void {
    // Errors of a refused connection are ignored.
    socket.on('error', () => socket.destroy());
    if (this.isClosing) refuseUpgrade(socket, 503);
    else this.server.handleUpgrade(request, socket, head, (open) => this.meet(callId, open, origin));
  }

  /** Connections that were admitted go on; new ones are for another process. */
  close(): void {
    this.isClosing = true;
    for (const socket of this.strangers) closeSocket(socket, CLOSE.over);
    this.server.close();
  }

  private meet(callId: number, socket: WebSocket, { address, isAwaited }: BrowserOrigin): void {
    this.strangers.add(socket);
    const leave = (isAwaited ? this.places : this.strayPlaces).enter(address, {
      evict: () => socket.terminate(),
    });
    const known = () => {
      clearTimeout(timer);
      leave();
      this.strangers.delete(socket);
    };
    const timer = setTimeout(() => closeSocket(socket, CLOSE.nothingCame), START_MS);
    socket.once('close', known);
    socket.on('error', () => socket.terminate());
    socket.once('message', (data, isBinary) => {
      known();
      const token = isBinary ? undefined : tokenOf(bufferOf(data));
      if (token === undefined) return closeSocket(socket, CLOSE.badFrame);
      // Nothing may be lost between the first message and the call's own listener.
      socket.pause();
      void this.start(callId, socket, token);
    });
  }

  private async start(callId: number, socket: WebSocket, token: string | null): Promise<void> {
    try {
      const refusal = token === null ? CLOSE.unauthorized : await this.options.admit(callId, token, socket);
      socket.resume();
      if (refusal !== null) closeSocket(socket, refusal);
    } catch (error) {
      this.options.logger.error('connection to a call not begun', { callId, err: error });
      socket.resume();
      closeSocket(socket, CLOSE.unauthorized);
    }
  }
}
