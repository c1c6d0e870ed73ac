import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { hashToken } from '../../../common/auth/opaque-token.js';
import { Logger } from '../../../common/observability/logger.js';
import { WebSocketConnection } from '../../../providers/telephony/web/web-socket-connection.js';
import { MediaUpgrades } from '../../voice-workers/media-upgrades.js';
import { TokenSockets } from '../../voice-workers/token-sockets.js';
import { WebCallAdmissionService } from '../web-call-admission.service.js';

/**
 * Takes the WebSockets of web calls in the voice process that has the call. A call begins when its browser has
 * connected with the right token.
 */
@Injectable()
export class WebCallGatewayService implements OnModuleInit, OnModuleDestroy {
  private readonly sockets: TokenSockets;

  constructor(
    admission: WebCallAdmissionService,
    private readonly upgrades: MediaUpgrades,
    logger: Logger,
  ) {
    this.sockets = new TokenSockets({
      admit: (callId, token, socket) =>
        admission.admit(callId, hashToken(token), new WebSocketConnection(socket)),
      logger,
    });
  }

  onModuleInit(): void {
    this.upgrades.takeWith('customer', (...upgrade) => this.sockets.upgrade(...upgrade));
  }

  /** Calls go on as long as this process may talk. */
  onModuleDestroy(): void {
    this.sockets.close();
  }
}
