import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type WebSocket, WebSocketServer } from 'ws';
import { hashToken } from '../../../common/auth/opaque-token.js';
import { FairPlaces } from '../../../common/limits/fair-places.js';
import { Logger } from '../../../common/observability/logger.js';
import { CLOSE, MAX_MESSAGE_BYTES, tokenOf } from '../../../providers/telephony/web/web-call-protocol.js';
import {
  bufferOf,
  closeSocket,
  WebSocketConnection,
} from '../../../providers/telephony/web/web-socket-connection.js';
import {
  type BrowserOrigin,
  callOfMediaPath,
  MediaUpgrades,
  refuseUpgrade,
} from '../../voice-workers/media-upgrades.js';
import { WebCallAdmissionService } from '../web-call-admission.service.js';

/** A connection must name its call within so long. */
const START_MS = 5_000;
/** Connections that have not said so yet. */
const MAX_STRANGERS = 200;
/** The same of calls that wait for no browser. They take no places of others, and are closed after the same messages. */
const MAX_STRAYS = 200;

/**
 * Takes the WebSockets of web calls in the voice process that has the call. A call begins when its browser has
 * connected with the right token.
 */
@Injectable()
export class WebCallGatewayService implements OnModuleInit, OnModuleDestroy {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  private readonly strangers = new Set<WebSocket>();
  private readonly places = new FairPlaces(MAX_STRANGERS);
  private readonly strayPlaces = new FairPlaces(MAX_STRAYS);
  private isClosing = false;

  constructor(
    private readonly admission: WebCallAdmissionService,
    private readonly upgrades: MediaUpgrades,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.upgrades.takeWith((request, socket, head, origin) => this.upgrade(request, socket, head, origin));
  }

  /** Calls go on as long as this process may talk; new ones are for another process. */
  onModuleDestroy(): void {
    this.isClosing = true;
    for (const socket of this.strangers) closeSocket(socket, CLOSE.over);
    this.sockets.close();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, origin: BrowserOrigin): void {
    // Errors of a refused connection are ignored.
    socket.on('error', () => socket.destroy());
    const callId = callOfMediaPath(request.url);
    if (callId === null) {
      refuseUpgrade(socket, 404);
    } else if (this.isClosing) {
      refuseUpgrade(socket, 503);
    } else {
      this.sockets.handleUpgrade(request, socket, head, (open) => this.meet(callId, open, origin));
    }
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
      const connection = new WebSocketConnection(socket);
      const refusal =
        token === null
          ? CLOSE.unauthorized
          : await this.admission.admit(callId, hashToken(token), connection);
      socket.resume();
      if (refusal !== null) closeSocket(socket, refusal);
    } catch (error) {
      this.logger.error('web call not begun', { callId, err: error });
      socket.resume();
      closeSocket(socket, CLOSE.unauthorized);
    }
  }
}
