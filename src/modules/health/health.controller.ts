import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TypeOrmHealthIndicator,
} from '@nestjs/terminus';
import { Drain } from '../../common/http/drain.js';

const PING_TIMEOUT_MS = 2_000;

@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly drain: Drain,
  ) {}

  /** The process runs. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** The process takes traffic: it is not draining and its database answers. */
  @Get('ready')
  @HealthCheck()
  ready() {
    return this.health.check([
      () => this.database.pingCheck('database', { timeout: PING_TIMEOUT_MS }),
      () => this.traffic(),
    ]);
  }

  private traffic() {
    const indicator = this.indicators.check('traffic');
    return this.drain.isDraining ? indicator.down() : indicator.up();
  }
}
