import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DrainService } from '../../../common/http/connections/drain.service.js';

@Injectable()
export class TrafficIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly drain: DrainService,
  ) {}

  /** Down from the moment the process is to stop. */
  check() {
    const indicator = this.indicators.check('traffic');
    return this.drain.leaving.aborted ? indicator.down() : indicator.up();
  }
}
