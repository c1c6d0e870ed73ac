import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { MediaUpgrades } from '../../voice-workers/media-upgrades.js';
import { TokenSockets } from '../../voice-workers/token-sockets.js';
import { MonitorAdmissionService } from './monitor-admission.service.js';

/** Takes the WebSockets of people who listen, in the voice process that has the call. */
@Injectable()
export class MonitorGatewayService implements OnModuleInit, OnModuleDestroy {
  private readonly sockets: TokenSockets;

  constructor(
    admission: MonitorAdmissionService,
    private readonly upgrades: MediaUpgrades,
    logger: Logger,
  ) {
    this.sockets = new TokenSockets({
      admit: (callId, token, socket) => admission.admit(callId, token, socket),
      logger,
    });
  }

  onModuleInit(): void {
    this.upgrades.takeWith('monitor', (...upgrade) => this.sockets.upgrade(...upgrade));
  }

  onModuleDestroy(): void {
    this.sockets.close();
  }
}
