import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import { ServerConfig } from '../../../config/config.js';

@Injectable()
export class TrafficIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly drain: DrainService,
    private readonly server: ServerConfig,
  ) {}

  /** Down from the moment the process is to stop. A paused installation is up: web calls and chats work. */
  check() {
    const indicator = this.indicators.check('traffic');
    return this.drain.leaving.aborted ? indicator.down() : indicator.up({ paused: this.server.isPaused });
  }
}
