import { Module } from '@nestjs/common';
import { BillingController } from './billing.controller.js';
import { BillingRepository } from './billing.repository.js';
import { BillingService } from './billing.service.js';
import { DailySpendRepository } from './spend/daily-spend.repository.js';
import { DailySpendService } from './spend/daily-spend.service.js';
import { VisitorSpendRepository } from './spend/visitor-spend.repository.js';
import { VisitorSpendService } from './spend/visitor-spend.service.js';
import { WalletMetricsService } from './wallet-metrics.service.js';

@Module({
  controllers: [BillingController],
  providers: [
    BillingService,
    BillingRepository,
    DailySpendService,
    DailySpendRepository,
    VisitorSpendService,
    VisitorSpendRepository,
    WalletMetricsService,
  ],
  exports: [BillingService, VisitorSpendService],
})
export class BillingModule {}
