import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { DatabaseHealthService } from '../../../database/database-health.service.js';

const PING_TIMEOUT_MS = 2_000;

@Injectable()
export class DatabaseIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly health: DatabaseHealthService,
  ) {}

  ping() {
    return this.database.pingCheck('database', { timeout: PING_TIMEOUT_MS });
  }

  /** A full disk answers pings and takes no writes. */
  resources() {
    const indicator = this.indicators.check('database-resources');
    return this.health.lacksResources ? indicator.down() : indicator.up();
  }
}
