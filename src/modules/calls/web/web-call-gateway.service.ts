import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { hashToken } from '../../../common/auth/opaque-token.js';
import { Logger } from '../../../common/observability/logger.js';
import { WebCallCarrier } from '../../../providers/telephony/web/web-call-carrier.js';
import { closeSocket } from '../../../providers/telephony/web/web-call-leg.js';
import { CLOSE, MAX_TEXT_BYTES, tokenOf } from '../../../providers/telephony/web/web-call-protocol.js';
import { CallRecoveryService } from '../session/call-recovery.service.js';
import { WebCallsRepository } from './web-calls.repository.js';

const PATH = /^\/api\/web-calls\/(\d{1,10})\/media$/;
/** A connection has to say which call it is for within so long. */
const START_MS = 5_000;
/** Connections that have not said so yet. */
const MAX_STRANGERS = 200;
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const TOO_MANY =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n';

/** Takes the WebSockets of web calls, and lets each call begin when its browser has connected with the right token. */
@Injectable()
export class WebCallGatewayService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_TEXT_BYTES,
    perMessageDeflate: false,
  });
  private readonly strangers = new Set<WebSocket>();
  private isClosing = false;

  constructor(
    private readonly webCalls: WebCallsRepository,
    private readonly recovery: CallRecoveryService,
    private readonly carrier: WebCallCarrier,
    private readonly http: HttpAdapterHost,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // Commands build the application without a server.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    const server = adapter?.getHttpServer() as Server | undefined;
    server?.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Calls go on as long as this process may talk; new ones are for another process. */
  onModuleDestroy(): void {
    this.isClosing = true;
    for (const socket of this.strangers) closeSocket(socket, CLOSE.over);
    this.sockets.close();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Whatever becomes of a connection that is refused is of no interest.
    socket.on('error', () => socket.destroy());
    const callId = Number(PATH.exec(request.url ?? '')?.[1] ?? 0);
    if (callId === 0 || callId > 2 ** 31 - 1) {
      socket.end(NOT_FOUND);
    } else if (this.isClosing || this.strangers.size >= MAX_STRANGERS) {
      socket.end(TOO_MANY);
    } else {
      this.sockets.handleUpgrade(request, socket, head, (open) => this.meet(callId, open));
    }
  }

  private meet(callId: number, socket: WebSocket): void {
    this.strangers.add(socket);
    const known = () => {
      clearTimeout(timer);
      this.strangers.delete(socket);
    };
    const timer = setTimeout(() => closeSocket(socket, CLOSE.nothingCame), START_MS);
    socket.once('close', known);
    socket.on('error', () => socket.terminate());
    socket.once('message', (data, isBinary) => {
      known();
      // Nothing may be lost between the first message and the call's own listener.
      socket.pause();
      void this.start(callId, socket, isBinary ? null : tokenOf(bufferOf(data)));
    });
  }

  private async start(callId: number, socket: WebSocket, token: string | null): Promise<void> {
    try {
      const isConnected = token !== null && (await this.connect(callId, token, socket));
      socket.resume();
      if (!isConnected) closeSocket(socket, CLOSE.unauthorized);
    } catch (error) {
      this.logger.error('web call not begun', { callId, err: error });
      socket.resume();
      closeSocket(socket, CLOSE.unauthorized);
    }
  }

  private async connect(callId: number, token: string, socket: WebSocket): Promise<boolean> {
    const redemption = await this.webCalls.redeem(callId, hashToken(token));
    if (!redemption) return false;
    // Places it with the carrier of this very process, where its sound comes in.
    if (redemption.isFirst) await this.recovery.lookAfter(callId);
    return this.carrier.connect(redemption.attemptId, socket);
  }
}

function bufferOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
