import { Module } from '@nestjs/common';
import { AllowancesService } from './allowances.service.js';
import { DailyUsageRepository } from './daily-usage.repository.js';

@Module({
  providers: [AllowancesService, DailyUsageRepository],
  exports: [AllowancesService],
})
export class AllowancesModule {}
