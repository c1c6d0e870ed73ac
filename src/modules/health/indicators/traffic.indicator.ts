import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DrainService } from '../../../common/http/connections/drain.service.js';

@Injectable()
export class TrafficIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly drain: DrainService,
  ) {}

  /** Down while the process drains its requests before it stops. */
  check() {
    const indicator = this.indicators.check('traffic');
    return this.drain.isDraining ? indicator.down() : indicator.up();
  }
}
