import { Module } from '@nestjs/common';
import { TakeoverRecordsRepository } from './takeover-records.repository.js';
import { TakeoverRecordsService } from './takeover-records.service.js';

/** The record of people who have taken over running calls. */
@Module({
  providers: [TakeoverRecordsRepository, TakeoverRecordsService],
  exports: [TakeoverRecordsService],
})
export class TakeoverRecordsModule {}
