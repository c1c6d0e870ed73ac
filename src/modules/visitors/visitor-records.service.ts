import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { VisitorSpendService } from '../billing/spend/visitor-spend.service.js';
import { UsedChallengesRepository } from './used-challenges.repository.js';
import { VisitorOpeningsRepository } from './visitor-openings.repository.js';

/** Deletes what limits on visitors have left behind. */
@Injectable()
export class VisitorRecordsService {
  constructor(
    private readonly openings: VisitorOpeningsRepository,
    private readonly challenges: UsedChallengesRepository,
    private readonly spend: VisitorSpendService,
    private readonly alerts: AlertsService,
  ) {}

  async sweep(): Promise<void> {
    await this.openings.removeOld();
    await this.challenges.removeExpired();
    await this.spend.sweep();
    await this.alerts.sweep();
  }
}
