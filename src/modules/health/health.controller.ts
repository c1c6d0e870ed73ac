import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TypeOrmHealthIndicator,
} from '@nestjs/terminus';
import { DrainRegistry } from '../../common/http/connections/drain-registry.js';
import { DrainService } from '../../common/http/connections/drain.service.js';
import { ServerConfig } from '../../config/config.js';
import { DatabaseHealthService } from '../../database/database-health.service.js';
import { QueueHealthService } from '../../queues/metrics/queue-health.service.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { LiveResponse, ReadyResponse } from './health.response.js';

const PING_TIMEOUT_MS = 2_000;

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly resources: DatabaseHealthService,
    private readonly queue: QueueHealthService,
    private readonly breaker: CarrierBreakerService,
    private readonly processes: VoiceProcessesService,
    private readonly drains: DrainRegistry,
    private readonly server: ServerConfig,
    private readonly drain: DrainService,
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
      () => this.database.pingCheck('database', { timeout: PING_TIMEOUT_MS }),
      () => this.databaseResources(),
      () => this.jobs(),
      () => this.calls(),
      ...(this.server.roles.has('voice') ? [() => this.voice()] : []),
      () => this.traffic(),
    ]);
  }

  /** A full disk answers pings and takes no writes. */
  private databaseResources() {
    const indicator = this.indicators.check('database-resources');
    return this.resources.lacksResources ? indicator.down() : indicator.up();
  }

  /** Requests are answered without the queue, and sweeps find their work later: that is no reason to send them away. */
  private async jobs() {
    const isUp = await this.queue.isUp();
    return this.indicators.check('queue').up({ degraded: !isUp });
  }

  /** A carrier that takes no calls is told, but no reason to send away chats and pages: no other process has a better one. */
  private async calls() {
    // Without the database nothing is known of the carrier, and the readiness is red for that.
    const [open] = await this.breaker.findAllOpen().catch(() => []);
    const indicator = this.indicators.check('carrier');
    return open
      ? indicator.up({ degraded: true, reason: open.reason, since: open.openedAt.toISOString() })
      : indicator.up({ degraded: false });
  }

  /** How much of a voice process is in use. One without a voice takes no calls, and no other process has a better one. */
  private voice() {
    const { own } = this.processes;
    const indicator = this.indicators.check('voice');
    if (!own) return indicator.up({ degraded: true, reason: 'no provider of speech' });
    const { capacity, load, overloaded } = own;
    const reason = overloaded ? { reason: 'overloaded' } : {};
    return indicator.up({
      degraded: overloaded,
      ...reason,
      calls: this.drains.inProgress('calls'),
      capacity,
      load,
    });
  }

  private traffic() {
    const indicator = this.indicators.check('traffic');
    return this.drain.isDraining ? indicator.down() : indicator.up();
  }
}
