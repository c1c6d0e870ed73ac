import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
import { ServerConfig } from '../../config/config.js';
import { LiveResponse, ReadyResponse } from './health.response.js';
import { CallsIndicator } from './indicators/calls.indicator.js';
import { DatabaseIndicator } from './indicators/database.indicator.js';
import { QueueIndicator } from './indicators/queue.indicator.js';
import { StorageIndicator } from './indicators/storage.indicator.js';
import { TrafficIndicator } from './indicators/traffic.indicator.js';

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseIndicator,
    private readonly queue: QueueIndicator,
    private readonly storage: StorageIndicator,
    private readonly calls: CallsIndicator,
    private readonly traffic: TrafficIndicator,
    private readonly server: ServerConfig,
  ) {}

  @Get('live')
  @ApiOperation({ operationId: 'getLiveness', summary: 'Whether the process runs' })
  @ApiOkResponse({ type: LiveResponse, description: 'It runs' })
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @HealthCheck({ swaggerDocumentation: false })
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether the process takes traffic: it is not draining and its database answers',
  })
  @ApiOkResponse({ type: ReadyResponse, description: 'It takes traffic' })
  ready() {
    return this.health.check([
      () => this.database.ping(),
      () => this.database.resources(),
      () => this.queue.check(),
      () => this.storage.check(),
      () => this.calls.carrier(),
      () => (this.server.roles.has('voice') ? this.calls.voice() : this.calls.voiceElsewhere()),
      () => this.traffic.check(),
    ]);
  }
}
