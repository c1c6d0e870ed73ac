import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CarrierBreakerService } from '../carrier-breaker/carrier-breaker.service.js';
import { CarrierPaceRepository } from './carrier-pace.repository.js';

/** Where more calls wait than are asked for in this time, no more are dialled for the time after it. */
const MAX_WAIT_MS = 10_000;
const PAUSE_MS = 5_000;

type PacedCarrier = Pick<CallCarrier, 'name' | 'capabilities'>;

/** Asks no carrier for more calls a second than it takes; see `placementsPerSecond` of its capabilities. */
@Injectable()
export class CarrierPaceService {
  constructor(
    private readonly paces: CarrierPaceRepository,
    private readonly breaker: CarrierBreakerService,
  ) {}

  /**
   * Waits until the carrier may be asked for one call. A carrier without a limit costs nothing.
   *
   * @returns false where too many calls wait already: nobody dials for a moment, as if the carrier had said so
   */
  async takeTurn({ name, capabilities }: PacedCarrier): Promise<boolean> {
    const { placementsPerSecond } = capabilities;
    if (placementsPerSecond === null) return true;
    const waitMs = await this.paces.takeTurn(name, 1_000 / placementsPerSecond, MAX_WAIT_MS);
    if (waitMs === null) await this.breaker.limit(name, PAUSE_MS);
    else if (waitMs > 0) await sleep(waitMs);
    return waitMs !== null;
  }

  /** Counts a call that waits for no turn, as somebody waits for it: those that wait come later for it. */
  async goFirst({ name, capabilities }: PacedCarrier): Promise<void> {
    const { placementsPerSecond } = capabilities;
    if (placementsPerSecond !== null) await this.paces.takeTurn(name, 1_000 / placementsPerSecond, null);
  }
}
