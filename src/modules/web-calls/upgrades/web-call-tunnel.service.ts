import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import { FairPlaces } from '../../../common/limits/fair-places.js';
import { UnprovenRequestsService } from '../../../common/limits/unproven-requests.service.js';
import { Logger } from '../../../common/observability/logger.js';
import { ServerConfig } from '../../../config/config.js';
import { mediaPathOf, refuseUpgrade } from '../../voice-workers/media-upgrades.js';
import { twilioPathOf } from '../../voice-workers/twilio/twilio-paths.js';
import { MonitorUpgradesService } from './monitor-upgrades.service.js';
import { TwilioStreamUpgradesService } from './twilio-stream-upgrades.service.js';
import { WebCallUpgradesService } from './web-call-upgrades.service.js';

/** Upgrades whose voice process has not answered yet. */
const MAX_OPENING = 200;

/** Takes WebSockets with the sound of calls at the API's port, and has each connected with its voice process. */
@Injectable()
export class WebCallTunnelService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly opening = new FairPlaces(MAX_OPENING);
  private isClosing = false;

  constructor(
    private readonly calls: WebCallUpgradesService,
    private readonly monitors: MonitorUpgradesService,
    private readonly streams: TwilioStreamUpgradesService,
    private readonly unproven: UnprovenRequestsService,
    private readonly http: HttpAdapterHost,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // Commands build the application without a server.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    const server = adapter?.getHttpServer() as Server | undefined;
    if (!this.server.roles.has('api')) return;
    server?.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
  }

  onModuleDestroy(): void {
    this.isClosing = true;
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Errors of a refused connection are ignored.
    socket.on('error', () => socket.destroy());
    const open = this.openerOf(request, socket, head);
    if (!open) {
      refuseUpgrade(socket, 404);
    } else if (this.isClosing) {
      refuseUpgrade(socket, 503);
    } else {
      const leave = this.opening.enter(this.unproven.addressOf(request), {
        evict: () => refuseUpgrade(socket, 503),
      });
      open()
        .catch((err: unknown) => {
          if (err instanceof TooManyRequestsError) return refuseUpgrade(socket, 429, err.retryAfterSeconds);
          this.logger.warn('call not connected to its voice process', {
            callId: mediaPathOf(request.url)?.callId,
            err,
          });
          refuseUpgrade(socket, 502);
        })
        .finally(leave);
    }
  }

  /** What connects the socket; null where nothing is at this path. */
  private openerOf(request: IncomingMessage, socket: Duplex, head: Buffer): (() => Promise<void>) | null {
    const media = mediaPathOf(request.url);
    if (media) {
      const upgrade = { ...media, request, socket, head };
      return () => (media.kind === 'monitor' ? this.monitors.open(upgrade) : this.calls.open(upgrade));
    }
    const stream = twilioPathOf(request.url);
    return stream?.kind === 'media' ? () => this.streams.open(stream, request, socket, head) : null;
  }
}
