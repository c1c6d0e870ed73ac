import { Module } from '@nestjs/common';
import { HttpModule } from '../../common/http/http.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ChallengesService } from './challenges.service.js';
import { UsedChallengesRepository } from './used-challenges.repository.js';
import { VisitorOpeningsRepository } from './visitor-openings.repository.js';
import { VisitorRecordsService } from './visitor-records.service.js';
import { VisitorsService } from './visitors.service.js';

@Module({
  imports: [AlertsModule, BillingModule, HttpModule],
  providers: [
    ChallengesService,
    UsedChallengesRepository,
    VisitorOpeningsRepository,
    VisitorRecordsService,
    VisitorsService,
  ],
  exports: [ChallengesService, VisitorRecordsService, VisitorsService],
})
export class VisitorsModule {}
